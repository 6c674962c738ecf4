import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { buildImage } from '../kit/content/content.ts';
import { publishRecipe } from '../kit/content/origin.ts';
import { createSigner } from '../kit/content/signer.ts';
import { eventually } from '../kit/instance/eventually.ts';
import { shareVisitedInstance, type VisitedInstance } from '../kit/scene/visited-instance.ts';
import { type Visitor, type Way, ways } from '../kit/web/visitor.ts';

// The tasks of docs/interface.md, each from the overview of somebody who is signed in, within its number of clicks.

const strangeSigner = createSigner();
const image = buildImage('web');
const { digest } = image.manifest.descriptor;
const tokenOf = (way: Way): string => `node-${ways.indexOf(way)}`;

/** A source for zone-b, which wants two recipes, one of them signed by a key that it does not trust. It prunes. */
const shared = shareVisitedInstance(async (world, origin) => {
  await mkdir(world.path('packable'));
  await writeFile(world.path('packable', 'manual.txt'), 'Read me first');
  const retriever = await world.retriever('zone-b', {
    cookbook: `${origin.host}/cookbook`,
    recipes: [
      { name: 'shop', version: '^1' },
      { name: 'agent', version: '^1' },
    ],
  });
  return {
    retriever: { source: retriever },
    zones: [{ name: 'zone-b', retriever }],
    sync: { interval: '0', prune: true },
    files: { packRoots: [world.path('packable')] },
  };
});
after(shared.close);

let prepared: Promise<void> | undefined;

/** Synchronizes a first version of both recipes, serves a file set, deletes another one, and creates tokens. */
async function prepare({ origin, world, instance }: VisitedInstance): Promise<void> {
  await origin.put('shop/web', image, '1.0.0');
  await publish('1.0.0');
  assert.equal((await world.sync(instance, '--prune=false')).task.status, 'failed');
  await publish('1.1.0');
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await instance.api(method, path, body);
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    return answer.body;
  };
  const source = world.path('packable');
  for (const name of ['manuals', 'gone'])
    await ask('POST', '/filesets/pack', { source, name, version: '12' });
  const { fingerprint } = await ask('GET', '/content/localhost/filesets/gone/-/delete-preview');
  await ask('DELETE', '/content/localhost/filesets/gone', { fingerprint });
  for (const way of ways) await ask('POST', '/tokens', { name: tokenOf(way), role: 'viewer' });

  async function publish(version: string): Promise<void> {
    const ingredients = [{ name: 'web', repository: 'shop/web', version: '1.0.0', digest }];
    await publishRecipe(origin, {
      name: 'shop',
      version,
      ingredients,
      signatures: [{ signer: world.signer }],
    });
    const signatures = [{ signer: strangeSigner }];
    await publishRecipe(origin, { name: 'agent', version, ingredients, signatures });
  }
}

interface Task {
  readonly name: string;
  /** Clicks that it may take. */
  readonly most: number;
  readonly run: (visitor: Visitor, scene: VisitedInstance) => Promise<unknown>;
}

const tasks: readonly Task[] = [
  {
    name: 'is my zone complete',
    most: 0,
    run: (visitor) => visitor.sees('1 of 2 wanted recipes is not here'),
  },
  {
    name: 'why is this recipe blocked, and what do I do',
    most: 1,
    run: async (visitor) => {
      await visitor.sees(/^Confirm the fingerprint of the key with its owner/);
      await visitor.follow('agent', visitor.page.locator('.todo'));
      await visitor.sees(/It was signed with a key that trust\.roots does not accept/);
    },
  },
  {
    name: 'synchronize with one recipe blocked and prune on',
    most: 2,
    run: async (visitor, { instance }) => {
      await visitor.follow('Synchronize');
      await visitor.send('Start');
      const path = new URL(visitor.page.url()).pathname;
      await eventually('the end of the run', async () =>
        ['done', 'failed'].includes((await instance.api('GET', path)).body.task.status),
      );
      const { body } = await instance.api('GET', '/recipes');
      const versions = body.recipes.map(
        (each: { name: string; version: string }) => `${each.name} ${each.version}`,
      );
      assert.deepEqual(
        versions.sort(),
        ['shop 1.0.0', 'shop 1.1.0'],
        'the other recipe is here, nothing is pruned',
      );
    },
  },
  {
    name: 'find a digest',
    most: 1,
    run: async (visitor) => {
      await visitor.fill('Search', digest);
      await visitor.enter('Search');
      await visitor.sees(digest);
    },
  },
  {
    name: 'who deleted this',
    most: 2,
    run: async (visitor) => {
      await visitor.fill('Search', 'filesets/gone');
      await visitor.enter('Search');
      await visitor.follow('Audit records with filesets/gone');
      const deletion = visitor.page.getByRole('row', { name: 'content deleted' });
      assert.match(await visitor.read(deletion), / admin .*localhost\/filesets\/gone/);
    },
  },
  {
    name: 'download a file of a FileSet',
    most: 3,
    run: async (visitor) => {
      const { page } = visitor;
      await visitor.follow('File sets');
      await visitor.follow('12', page.getByRole('row', { name: 'manuals ' }));
      const saving = page.waitForEvent('download');
      await visitor.use(visitor.section('files').getByRole('link', { name: 'manual.txt', exact: true }));
      assert.equal(await readFile(await (await saving).path(), 'utf8'), 'Read me first');
    },
  },
  {
    name: 'revoke a token',
    most: 2,
    run: async (visitor, { instance }) => {
      const name = tokenOf(visitor.way);
      await visitor.fill('Search', name);
      await visitor.enter('Search');
      await visitor.send('Revoke the token');
      const { tokens } = (await instance.api('GET', '/tokens')).body;
      assert.ok(tokens.find((each: { name: string }) => each.name === name).revokedAt);
    },
  },
  {
    name: 'what must be carried to zone-b',
    most: 1,
    run: async (visitor) => {
      await visitor.follow('zone-b', visitor.section('now'));
      await visitor.sees(/^zone-b: .+ on one disk$/);
    },
  },
];

for (const way of ways)
  for (const { name, most, run } of tasks)
    test(`${way}: ${name}, in at most ${most} clicks`, async (t) => {
      const scene = await shared.open(t);
      if (scene === undefined) return;
      prepared ??= prepare(scene);
      await prepared;
      const visitor = await scene.visit(way);
      await visitor.open('/');
      const before = visitor.clicks;
      await run(visitor, scene);
      assert.ok(visitor.clicks - before <= most, `${visitor.clicks - before} clicks`);
    });
