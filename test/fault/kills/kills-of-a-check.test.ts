import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Owner } from '../../../src/contract/content.ts';
import { collectGarbage } from '../../../src/store/collect.ts';
import type { Store } from '../../../src/store/model.ts';
import { openRepository } from '../../../src/store/open-repository.ts';
import { releaseHeld } from '../../../src/store/put-tags.ts';
import { recordSync } from '../../../src/store/record-sync.ts';
import { checkContent } from '../../../src/store/repair/check-content.ts';
import { buildImage, buildIndex, digestsOf, pushArtifact } from '../../kit/content/content.ts';
import { damageFile } from '../../kit/hostile/damage-file.ts';
import { openStoreAt } from '../../kit/instance/open-store-at.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { times } from '../rig/form.ts';
import { type KillRig, runKills } from '../rig/run-kills.ts';
import { runStoreProgram } from '../rig/run-program.ts';

const owner: Owner = { provenance: 'recipe', recipe: 'app@1.0.0' };
const small = { layerSize: 300 };
const app = buildIndex('app', ['linux/amd64', 'linux/arm64'], small);
const tool = buildImage('tool', { ownLayers: 3, layerSize: 300 });
const content = [app, tool].flatMap(digestsOf);
const bad = tool.blobs.slice(-2).map(({ descriptor }) => descriptor.digest);

interface World {
  readonly root: string;
  readonly stateRoot: string;
}

const open = (world: World, zone?: string): Promise<Store> => openStoreAt(world, { zone });

async function fill(world: World): Promise<void> {
  await using store = await open(world);
  await pushArtifact(openRepository(store, 'app', { owner }), app, 'v1');
  await pushArtifact(openRepository(store, 'tool', { owner: { provenance: 'import' } }), tool, 'v1');
  await recordSync(store, { zone: 'z', runId: 'r', resolvedAt: '2026-01-01T00:00:00Z' }, []);
}

/** SHA-256 of every file among the blobs and in quarantine, by the digest of its name. */
async function listBytes({ root }: World): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const [folder, prefix] of [
    ['blobs/sha256', ''],
    ['_svc/quarantine', 'sha256-'],
  ] as const) {
    for (const name of await readdir(join(root, folder)).catch(() => [])) {
      const hex = name.slice(prefix.length);
      assert.equal(found.has(hex), false, `${hex} is in two places`);
      found.set(
        hex,
        createHash('sha256')
          .update(await readFile(join(root, folder, name)))
          .digest('hex'),
      );
    }
  }
  return found;
}

/** A rig whose rounds each have a world of their own. */
async function openRig(
  command: string,
  how: {
    readonly prepare: (world: World) => Promise<void>;
    /** Checks the state after a kill, and after the end of the command. */
    readonly look: (world: World, isOver: boolean) => Promise<void>;
  },
): Promise<KillRig> {
  const folder = await openTempFolder('svc-kills-');
  let world: World;
  let before: Map<string, string>;
  return {
    async run(kill, round) {
      const base = join(folder.path, `${round}`);
      world = { root: join(base, 'store'), stateRoot: join(base, 'state') };
      await mkdir(base, { recursive: true });
      await fill(world);
      await how.prepare(world);
      before = await listBytes(world);
      const plan = kill === undefined ? {} : { kill };
      const { said, report } = await runStoreProgram(command, world, `${round}`, plan);
      if (!report.killed) assert.equal(said.at(-1), 'end', said.join('\n'));
      return report;
    },
    async check() {
      assert.deepEqual(await listBytes(world), before, 'every file is there, in one place, as it was');
    },
    async complete(round) {
      const { said } = await runStoreProgram(command, world, `${round}`);
      assert.equal(said.at(-1), 'end', said.join('\n'));
      assert.deepEqual(await listBytes(world), before, 'nothing was deleted');
      await how.look(world, true);
      await rm(join(world.root, '..'), { recursive: true });
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

async function requireClean(store: Store): Promise<void> {
  assert.deepEqual([store.standing, store.readOnly], ['ours', undefined]);
  for await (const { name, problems } of checkContent(store)) assert.deepEqual(problems, [], name);
}

test('damage is in service or in quarantine after a kill at any write, and never served again in the end', async (t) => {
  const rig = (): Promise<KillRig> =>
    openRig('quarantine', {
      prepare: async ({ root }) => {
        for (const digest of bad) await damageFile(join(root, 'blobs', ...digest.split(':')), 1);
      },
      look: async (world) => {
        await using store = await open(world);
        const absent = content.filter((digest) => store.index.sizeOf(digest) === undefined);
        assert.deepEqual(absent.sort(), [...bad].sort());
        await pushArtifact(openRepository(store, 'tool', { owner: { provenance: 'import' } }), tool, 'v1');
        await requireClean(store);
      },
    });
  await runKills(t, 'quarantine', rig, times(3, 100));
});

test('a repair that is killed at any write can be repeated, and nothing is lost', async (t) => {
  const rig = (): Promise<KillRig> =>
    openRig('repair', {
      prepare: async ({ root }) => {
        const path = join(root, 'ledger', 'content-00000001.jsonl');
        // the record of a tag, which only the index of the rest can replace
        await damageFile(path, (await readFile(path, 'latin1')).indexOf('"op":"tag","repo":"app"'));
      },
      look: async (world) => {
        await using store = await open(world);
        await requireClean(store);
        for (const [name, { manifest }] of [
          ['app', app],
          ['tool', tool],
        ] as const)
          assert.equal(store.index.tag(name, 'v1')?.digest, manifest.descriptor.digest);
        assert.deepEqual(await collectGarbage(store), { blobs: 0, bytes: 0 });
      },
    });
  await runKills(t, 'repair', rig, times(3, 100));
});

test('an adoption that is killed at any write can be repeated', async (t) => {
  const rig = (): Promise<KillRig> =>
    openRig('adopt', {
      prepare: async ({ stateRoot }) => {
        await rm(stateRoot, { recursive: true });
        await mkdir(stateRoot);
        await writeFile(join(stateRoot, 'mine'), '');
      },
      look: async (world) => {
        await using store = await open(world, 'zone-b');
        await requireClean(store);
        assert.deepEqual(
          ['app', 'tool'].map((name) => store.index.tag(name, 'v1')?.held),
          [true, true],
        );
        await releaseHeld(store, [{ repository: 'app', tag: 'v1' }]);
        assert.equal(store.index.tag('app', 'v1')?.held, false);
      },
    });
  await runKills(t, 'adopt', rig, times(3, 100));
});
