import assert from 'node:assert/strict';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openAccounts } from '../../../src/account/accounts.ts';
import type { Digest } from '../../../src/base/digest.ts';
import type { Store } from '../../../src/store/model.ts';
import {
  type Artifact,
  buildImage,
  buildIndex,
  digestsOf,
  seededBytes,
  toBlob,
} from '../../kit/content/content.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { checkStoreAt } from '../rig/check-store.ts';
import { times } from '../rig/form.ts';
import { type KillRig, runKills } from '../rig/run-kills.ts';
import { runStoreProgram } from '../rig/run-program.ts';

/** Lets go of a world after so many rounds: a store that only grows makes the rounds slow. */
const roundsOfAWorld = 25;

interface World {
  readonly root: string;
  readonly stateRoot: string;
}

/** The promised content of the store, as its programs announced it. */
class Promises {
  readonly pushed: Map<string, Artifact> = new Map();
  readonly uploaded: Set<Digest> = new Set();

  hear(lines: readonly string[], build: (seed: string) => Artifact): void {
    for (const line of lines) {
      const [word, subject, ...rest] = line.split(' ') as [string, string, ...string[]];
      if (word === 'failed') throw new Error(line);
      if (word === 'push') this.pushed.set(subject, build(rest.join(' ')));
      if (word === 'upload') this.uploaded.add(subject as Digest);
      if (word === 'delete') this.pushed.delete(subject);
      if (word === 'resetting') this.pushed.clear();
    }
  }

  hold(store: Store): void {
    for (const [name, artifact] of this.pushed) {
      const { digest } = artifact.manifest.descriptor;
      assert.equal(store.index.tag(name, 'v1')?.digest, digest, `${name} was acknowledged`);
      assert.deepEqual([...store.index.reach(digest)].sort(), digestsOf(artifact).sort(), name);
    }
    for (const digest of this.uploaded) assert.ok(store.index.isBlobIn('uploads', digest), digest);
  }
}

const small = { layerSize: 300 };
const buildPair = (seed: string): Artifact => buildIndex(seed, ['linux/amd64', 'linux/arm64'], small);

async function openStoreRig(
  command: string,
  how: {
    readonly build: (seed: string) => Artifact;
    /** Runs unharmed before each round. */
    readonly prepare?: string;
    /** More to hold after a round; `isOver`: the operation came to its end. */
    readonly look?: (store: Store, promises: Promises, isOver: boolean, world: World) => Promise<void> | void;
  },
): Promise<KillRig> {
  const folder = await openTempFolder('svc-kills-');
  let world: World = { root: join(folder.path, '0', 'store'), stateRoot: join(folder.path, '0', 'state') };
  let promises = new Promises();
  let isOver = false;
  const run = async (name: string, round: number, kill?: Parameters<KillRig['run']>[0]) => {
    const { said, report } = await runStoreProgram(
      name,
      world,
      `${round}`,
      kill === undefined ? {} : { kill },
    );
    promises.hear(said, how.build);
    isOver = said.at(-1) === 'end';
    if (!report.killed) assert.ok(isOver, said.join('\n'));
    return report;
  };
  return {
    async run(kill, round) {
      if (round % roundsOfAWorld === 0) {
        await removeOthers(folder.path, `${round}`);
        const base = join(folder.path, `${round}`);
        world = { root: join(base, 'store'), stateRoot: join(base, 'state') };
        promises = new Promises();
        await mkdir(base, { recursive: true });
      }
      if (how.prepare) await run(how.prepare, round);
      return run(command, round, kill);
    },
    async check(round) {
      // some see it as a reader does, before anything has been put in order
      const access = round % 2 === 0 ? 'read' : 'write';
      const hold = async (store: Store) => {
        promises.hold(store);
        await how.look?.(store, promises, isOver, world);
      };
      if (!(await isStore(world.root))) return;
      await checkStoreAt(world.root, world.stateRoot, hold, { access });
    },
    async complete(round) {
      if (how.prepare === undefined) return run(command, round + 0.5).then(() => {});
      await run(command, round);
      await checkStoreAt(world.root, world.stateRoot, (store) => how.look?.(store, promises, true, world));
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

async function removeOthers(path: string, kept: string): Promise<void> {
  for (const name of await readdir(path)) if (name !== kept) await rm(join(path, name), { recursive: true });
}

/** A process that was killed early has left no store yet. */
async function isStore(root: string): Promise<boolean> {
  return (await readdir(join(root, 'ledger')).catch(() => [])).some((name) => name.startsWith('content'));
}

test('a store is whole after a kill at any write of pushes, uploads, deletes and records', async (t) => {
  await runKills(t, 'churn', () => openStoreRig('churn', { build: buildPair }), times(3, 180));
});

test('a store is whole after a kill at any write of a collection, and the next one ends the work', async (t) => {
  const open = () =>
    openStoreRig('collect', {
      build: buildPair,
      prepare: 'litter',
      look: (store, promises, isOver) => {
        if (!isOver) return;
        const kept = new Set([...promises.pushed.values()].flatMap(digestsOf));
        const blobs = [...kept].filter((digest) => store.index.sizeOf(digest) !== undefined);
        assert.equal(blobs.length, kept.size);
        assert.deepEqual(
          [...store.index.repositories()].filter((name) => name.startsWith('stray/')),
          [],
        );
      },
    });
  await runKills(t, 'collect', open, times(3, 130));
});

test('a store is whole after a kill at any write of a compaction', async (t) => {
  const build = (seed: string) => buildImage(seed, small);
  await runKills(t, 'compact', () => openStoreRig('compact', { build }), times(3, 120));
});

test('a repository is whole or gone after a kill at any write of its deletion, and its neighbour is whole', async (t) => {
  const open = async (): Promise<KillRig> => {
    const folder = await openTempFolder('svc-kills-');
    const world = { root: join(folder.path, 'store'), stateRoot: join(folder.path, 'state') };
    let said: readonly string[] = [];
    const look = (store: Store, seed: string): void => {
      const whole = (repository: string, tag: string, word: string): boolean => {
        const layers = [toBlob(seededBytes(`${seed} base`, 300))];
        const image = buildImage(`${seed} ${word}`, { layers, ...small });
        const { digest } = image.manifest.descriptor;
        if (store.index.tag(repository, tag)?.digest !== digest) return false;
        assert.deepEqual(
          [...store.index.reach(digest)].sort(),
          digestsOf(image).sort(),
          `${repository}:${tag}`,
        );
        return true;
      };
      if (!said.includes(`imported ${seed}`)) return;
      assert.ok(whole(`r/${seed}/below`, 'v1', 'v1'), 'the neighbour is whole');
      const versions = ['one', 'two'].filter((tag) => whole(`r/${seed}`, tag, tag));
      if (said.includes(`deleted ${seed}`)) assert.deepEqual(versions, []);
      else assert.notEqual(versions.length, 1, 'both versions or none');
      assert.equal(store.index.hasRepository(`r/${seed}`), versions.length > 0);
    };
    const run = async (seed: string, plan = {}) => {
      const result = await runStoreProgram('deleteRepository', world, seed, plan);
      said = result.said;
      return result.report;
    };
    return {
      run: (kill, round) => run(`${round}`, kill === undefined ? {} : { kill }),
      async check(round) {
        if (!(await isStore(world.root))) return;
        const access = round % 2 === 0 ? 'read' : 'write';
        await checkStoreAt(world.root, world.stateRoot, (store) => look(store, `${round}`), { access });
      },
      async complete(round) {
        await run(`${round}-again`);
        assert.equal(said.at(-1), 'end', said.join('\n'));
        await checkStoreAt(world.root, world.stateRoot, (store) => look(store, `${round}-again`));
      },
      [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
    };
  };
  await runKills(t, 'delete-repository', open, times(3, 120));
});

test('a store is whole after a kill at any write of a reset', async (t) => {
  await runKills(t, 'reset', () => openStoreRig('reset', { build: buildPair }), times(3, 70));
});

test('accounts are whole after a kill at any write of a change', async (t) => {
  const open = async (): Promise<KillRig> => {
    const folder = await openTempFolder('svc-kills-');
    const world = { root: join(folder.path, 'store'), stateRoot: join(folder.path, 'state') };
    const roles = new Map<string, string>();
    const secrets = new Map<string, string>();
    return {
      async run(kill, round) {
        const plan = kill === undefined ? {} : { kill };
        const { said, report } = await runStoreProgram('accounts', world, `${round}`, plan);
        for (const line of said) {
          const [word, name, rest] = line.split(' ') as [string, string, string];
          if (word === 'account') roles.set(name, rest);
          // from here until it is acknowledged, the old and the new are both right
          if (word === 'changing') roles.delete(name);
          if (word === 'changing') secrets.delete(name);
          if (word === 'gone') roles.set(name, 'gone');
          if (word === 'token') secrets.set(name, rest);
          if (word === 'revoked') roles.set(name, 'revoked');
          if (word === 'failed') throw new Error(line);
        }
        return report;
      },
      async check() {
        await using accounts = openAccounts({ stateRoot: world.stateRoot });
        const standing = await accounts.list();
        const tokens = await accounts.tokens.list();
        if (roles.size > 0)
          assert.ok(
            standing.some(({ role }) => role === 'admin'),
            'an administrator is left',
          );
        for (const [name, role] of roles) {
          const account = standing.find((one) => one.name === name);
          if (role === 'gone') assert.equal(account, undefined, name);
          else if (role === 'revoked') assert.ok(tokens.find((one) => one.name === name)?.revokedAt, name);
          else assert.equal(account?.role, role, name);
        }
        for (const [name, secret] of secrets) assert.equal(accounts.findToken(secret)?.name, name);
      },
      async complete(round) {
        const { said } = await runStoreProgram('accounts', world, `${round}-again`);
        assert.equal(said.at(-1), 'end', said.join('\n'));
        const left = (await readdir(world.stateRoot)).filter((name) => name.endsWith('.tmp'));
        assert.deepEqual(left, [], 'what the kill left is cleared by the next change');
      },
      [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
    };
  };
  await runKills(t, 'accounts', open, times(3, 80));
});
