import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Digest } from '../../../src/base/digest.ts';
import { writePackableTree } from '../../kit/content/packable-tree.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { runSvc, type SvcResult } from '../../kit/program/svc.ts';
import { checkStoreAt } from '../rig/check-store.ts';
import type { FaultPlan } from '../rig/fault-plan.ts';
import { times } from '../rig/form.ts';
import { readFaultReport, toFaultEnvironment } from '../rig/instrumented.ts';
import { type KillRig, runKills } from '../rig/run-kills.ts';

const repository = 'localhost/filesets/tree';

interface World extends AsyncDisposable {
  readonly root: string;
  readonly stateRoot: string;
  /** Packs the tree as this version, in a process of its own. */
  pack(version: string, plan: Partial<FaultPlan>): Promise<SvcResult>;
  /** Gives the tree content that was never packed. */
  change(text: string): void;
  leftovers(): readonly string[];
}

async function openWorld(): Promise<World> {
  const folder = await openTempFolder('svc-pack-');
  const [root, stateRoot, tree] = ['store', 'state', 'tree'].map((name) => join(folder.path, name)) as [
    string,
    string,
    string,
  ];
  writePackableTree(tree);
  return {
    root,
    stateRoot,
    pack: (version, plan) =>
      runSvc(['fileset', 'pack', tree, `tree:${version}`], {
        env: {
          SVC_STORAGE_ROOT: root,
          SVC_STATE_ROOT: stateRoot,
          ...toFaultEnvironment({ roots: [root, stateRoot], ...plan }),
        },
      }),
    change: (text) => writeFileSync(join(tree, 'Release'), text),
    leftovers: () => readdirSync(join(root, '_svc', 'tmp')),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

async function openPackRig(): Promise<KillRig> {
  const world = await openWorld();
  /** The printed digests, which must be kept. */
  const promised = new Map<string, Digest>();
  const run = async (version: string, plan: Partial<FaultPlan>): Promise<SvcResult> => {
    const result = await world.pack(version, plan);
    if (result.stdout !== '') promised.set(version, result.stdout.trim() as Digest);
    return result;
  };
  return {
    async run(kill, round) {
      world.change(`${round}`);
      const report = join(world.stateRoot, '..', 'calls.json');
      const result = await run(`${round}`, { report, ...(kill === undefined ? {} : { kill }) });
      const counted = readFaultReport(report);
      if (!counted.killed) assert.equal(result.exitCode, 0, result.stderr);
      return counted;
    },
    async check(round) {
      if (!existsSync(join(world.root, 'ledger'))) return;
      const access = round % 2 === 0 ? 'read' : 'write';
      await checkStoreAt(
        world.root,
        world.stateRoot,
        (store) => {
          for (const [version, digest] of promised)
            assert.equal(store.index.tag(repository, version)?.digest, digest, `${version} was promised`);
          for (const { digest } of store.index.tags(repository))
            assert.equal(store.index.reach(digest).size, 3, 'a version is whole');
        },
        { access },
      );
      if (access === 'write') assert.deepEqual(world.leftovers(), []);
    },
    async complete(round) {
      const { exitCode, stderr } = await run(`${round}`, {});
      assert.equal(exitCode, 0, stderr);
      assert.deepEqual(world.leftovers(), []);
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

test('a pack killed at any write leaves a whole store, and is repeated', async (t) => {
  await runKills(t, 'pack', openPackRig, times(3, 100));
});

const codes = {
  ENOSPC: /SVC-STO-00[45]/,
  EDQUOT: /SVC-STO-004/,
  EFBIG: /SVC-STO-005/,
  EIO: /SVC-STO-002/,
  EROFS: /SVC-STO-002/,
} as const;

test('a disk that fails while it is packed is told by its code, and nothing is left of the pack', async () => {
  await using world = await openWorld();
  assert.equal((await world.pack('0', {})).exitCode, 0);
  for (const [code, expected] of Object.entries(codes)) {
    for (const op of code === 'EIO' || code === 'EROFS'
      ? ['write|writev', 'sync', 'rename']
      : ['write|writev']) {
      world.change(`${code} ${op}`);
      const path = op === 'rename' ? '/blobs/' : '/(?:_svc/tmp|blobs)/';
      const failed = await world.pack('1', { fail: [{ op, path, code }] });
      assert.equal(failed.exitCode, 1, `${code} ${op}\n${failed.stderr}`);
      assert.match(failed.stderr, expected);
      assert.equal(failed.stdout, '');
      assert.deepEqual(world.leftovers(), [], `${code} ${op}`);
      await checkStoreAt(world.root, world.stateRoot, (store) => {
        assert.deepEqual(
          store.index.tags(repository).map(({ tag }) => tag),
          ['0'],
        );
      });
    }
  }
  assert.equal((await world.pack('1', {})).exitCode, 0);
});
