import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Artifact, buildIndex } from '../kit/content/content.ts';
import { publishRecipe } from '../kit/content/origin.ts';
import { openClientHome } from '../kit/program/client-home.ts';
import { onPath } from '../kit/program/peers.ts';
import { typePrintedLines } from '../kit/program/type-printed-line.ts';
import { shareVisitedInstance, type VisitedInstance } from '../kit/scene/visited-instance.ts';
import { waysOf } from '../kit/web/visitor.ts';

const shared = shareVisitedInstance(async (world, origin) => ({
  retriever: {
    source: await world.retriever('zone', {
      cookbook: `${origin.host}/cookbook`,
      recipes: [{ name: 'shop', version: '^1' }],
    }),
  },
}));
after(shared.close);

/** Puts a signed version of the wanted recipe at the origin. */
async function deliver({ origin, world }: VisitedInstance, version: string): Promise<Artifact> {
  const image = buildIndex(`web ${version}`, ['linux/amd64', 'linux/arm64']);
  const { digest } = image.manifest.descriptor;
  await origin.put('shop/web', image, version);
  await publishRecipe(origin, {
    name: 'shop',
    version,
    ingredients: [{ name: 'web', repository: 'shop/web', version, digest }],
    signatures: [{ signer: world.signer }],
  });
  return image;
}

async function listVersions({ instance }: VisitedInstance): Promise<readonly string[]> {
  const { body } = await instance.api('GET', '/recipes');
  return (body.recipes as { version: string }[]).map(({ version }) => version).sort();
}

for (const [index, way] of waysOf('by keyboard').entries()) {
  const client = way === 'by mouse' ? 'crane' : 'skopeo';
  test(`${way}: a plan, a synchronization that is watched, its recipe, and an image pulled by the line that is printed`, async (t) => {
    const scene = await shared.open(t);
    if (scene === undefined) return;
    const { instance, double, world } = scene;
    const version = `1.${index}.0`;
    const image = await deliver(scene, version);
    const before = await listVersions(scene);
    const visitor = await scene.visit(way);
    const { page } = visitor;

    await visitor.open('/');
    await visitor.follow('Recipes', page.getByRole('navigation', { name: 'Main navigation' }));
    await visitor.follow('Synchronize');
    await visitor.send('Work out the plan');
    await visitor.sees(/1 recipe: 1 to transfer\./);
    await visitor.sees(new RegExp(`→ ${version}`));
    assert.deepEqual(await listVersions(scene), before, 'a plan brings nothing');

    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const stop = double.intercept(async ({ method, path }) => {
      if (method === 'GET' && path.includes('/shop/web/blobs/')) await released;
      return false;
    });
    await visitor.send('Start');
    await visitor.sees('running');
    const id = /\/tasks\/(tsk_[0-9a-f]+)/.exec(page.url())?.[1];
    assert.equal((await instance.api('GET', `/tasks/${id}`)).body.task.status, 'running');
    await visitor.titled(/^\d+\s% · synchronization/);
    release();
    // without scripts the page loads itself again each ten seconds
    await visitor.sees('done');
    stop();
    await visitor.titled(/^done · synchronization/);
    assert.deepEqual(await listVersions(scene), [...before, version]);

    await visitor.follow(`shop@${version}`, visitor.section('items'));
    assert.match(await visitor.read(page.locator('h1')), new RegExp(`^shop ${version}`));
    await visitor.follow('web', visitor.section('ingredients'));
    if (onPath(client) === undefined) return t.diagnostic(`not typed: needs ${client}`);
    const home = await openClientHome(world.folder, `home-${index}`);
    const { pull, folder } = await typePrintedLines(
      visitor,
      home,
      client,
      await instance.createToken('viewer'),
    );
    const { digest } = image.manifest.descriptor;
    assert.ok(pull.includes(digest), pull);
    const layout = join(home.path, folder);
    const { manifests } = JSON.parse(await readFile(join(layout, 'index.json'), 'utf8'));
    assert.deepEqual(
      manifests.map((each: { digest: string }) => each.digest),
      [digest],
    );
    for (const { descriptor, bytes } of image.children.flatMap(({ artifact }) => artifact.blobs))
      assert.ok((await readFile(join(layout, 'blobs', ...descriptor.digest.split(':')))).equals(bytes));
  });
}
