import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { silentReport } from '../../src/base/report.ts';
import type { Store } from '../../src/store/model.ts';
import { openStore } from '../../src/store/open-store.ts';
import { type Artifact, buildImage, buildIndex, digestsOf, pushArtifact } from '../kit/content.ts';

import { requireClean } from './rig/check-store.ts';
import { type DiskRecord, readDiskRecord } from './rig/disk-record.ts';
import { only, onlyRound, seed, times } from './rig/form.ts';
import { openMemoryFolder } from './rig/memory-folder.ts';
import { toRandom } from './rig/random.ts';
import { fates, replayDisk } from './rig/replay-disk.ts';
import { requireSound } from './rig/require-sound.ts';
import { runStoreProgram } from './rig/run-program.ts';

interface Life {
  readonly record: DiskRecord;
  /** What was promised, and from which line of the record on; `until`: it may be gone from there. */
  readonly promises: readonly {
    readonly repository: string;
    readonly artifact: Artifact;
    readonly from: number;
    until: number;
  }[];
  readonly root: string;
}

const toArtifact = (name: string): Artifact => {
  const small = { layerSize: 300 };
  if (name.endsWith(' base')) return buildImage(name, small);
  if (name.endsWith(' again')) return buildImage(name, { ...small, ownLayers: 2 });
  return buildIndex(name, ['linux/amd64', 'linux/arm64'], small);
};

async function recordLife(folder: string, command: string): Promise<Life> {
  const root = join(folder, 'world');
  await mkdir(root);
  const place = { root: join(root, 'store'), stateRoot: join(root, 'state') };
  const path = join(folder, 'record.jsonl');
  const { said, moments } = await runStoreProgram(command, place, 'life', { roots: [root], record: path });
  assert.equal(said.at(-1), 'end', said.join('\n'));
  const record = readDiskRecord(path, root);
  const promises: Life['promises'][number][] = [];
  for (const [i, line] of said.entries()) {
    const [word, repository, ...rest] = line.split(' ') as [string, string, ...string[]];
    const at = record.lineAfter(moments[i]!);
    if (word === 'push')
      promises.push({ repository, artifact: toArtifact(rest.join(' ')), from: at, until: record.lines + 1 });
    for (const promise of promises)
      if ((word === 'delete' && promise.repository === repository) || word === 'resetting')
        promise.until = at - 1;
  }
  return { record, promises, root };
}

function requirePromised(store: Store, life: Life, cut: number): void {
  for (const { repository, artifact, from, until } of life.promises) {
    if (cut < from || cut >= until) continue;
    const { digest } = artifact.manifest.descriptor;
    assert.equal(store.index.tag(repository, 'v1')?.digest, digest, `${repository} was acknowledged`);
    assert.deepEqual([...store.index.reach(digest)].sort(), digestsOf(artifact).sort());
  }
}

for (const [command, short, full] of [
  ['life', 28, 1200],
  ['reset', 8, 200],
] as const) {
  test(`no power cut in a ${command} of a store leaves an acknowledged tag without its bytes`, async (t) => {
    const part = `power-${command}`;
    if (only !== undefined && only !== part) return t.skip(`not run: only ${only} was asked for`);
    await using folder = await openMemoryFolder('svc-power-');
    const life = await recordLife(folder.path, command);
    assert.ok(life.promises.length > 0);
    const rounds = times(short, full);
    for (let round = onlyRound ?? 0; round < (onlyRound ?? rounds - 1) + 1; round += 1) {
      const random = toRandom(`${seed} ${part} ${round}`);
      const cut = Math.floor(random() * (life.record.lines + 1));
      const fate = fates[round % fates.length]!;
      const target = join(folder.path, `after-${round}`);
      try {
        replayDisk(life.record, cut, fate, random, life.root, target);
        const options = {
          root: join(target, 'store'),
          stateRoot: join(target, 'state'),
          mode: 'mirror',
          access: 'write',
          producer: { version: '0.0.0-test' },
          report: silentReport,
        } as const;
        const isBefore = !life.promises.some(({ from }) => from <= cut);
        if (!isBefore) assert.ok(existsSync(options.root), 'the folder of the store is gone');
        {
          await using store = await openStore(options);
          await requireSound(store);
          requirePromised(store, life, cut);
          const owner = { provenance: 'recipe', recipe: 'a@1' } as const;
          await pushArtifact(store.repository('after', { owner }), buildImage('after'), 'v1');
        }
        // what was nobody's goes by itself, and nothing else
        let now = Date.now() + 48 * 3_600_000;
        await using store = await openStore({ ...options, now: () => now });
        requirePromised(store, life, cut);
        now += 2 * 3_600_000;
        await store.collect();
        await requireClean(store);
        requirePromised(store, life, cut);
      } catch (error) {
        const place = `cut at ${cut} of ${life.record.lines}, ${fate}`;
        const again = `npm run test:fault -- --seed ${seed} --round ${round} --only ${part}`;
        throw new Error(`${place}; repeat with: ${again}\n${error instanceof Error ? error.stack : error}`);
      }
      await rm(target, { recursive: true });
    }
    t.diagnostic(`${part}: ${rounds} cuts in ${life.record.lines} lines, lost: none`);
  });
}
