import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { collectGarbage } from '../../src/store/collect.ts';
import type { Store } from '../../src/store/model.ts';
import { openRepository } from '../../src/store/open-repository.ts';
import { type Artifact, buildImage, buildIndex, digestsOf, pushArtifact } from '../kit/content/content.ts';
import { openMemoryFolder } from '../kit/instance/memory-folder.ts';
import { openStoreAt } from '../kit/instance/open-store-at.ts';
import { requireClean } from './rig/check-store.ts';
import { cutEverywhere, type RecordedLife } from './rig/cut-everywhere.ts';
import { readDiskRecord } from './rig/disk-record.ts';
import { only, times } from './rig/form.ts';
import { requireSound } from './rig/require-sound.ts';
import { runStoreProgram } from './rig/run-program.ts';

interface Life extends RecordedLife {
  /** The promised content, from a line of the record on; `until`: it may be gone from there. */
  readonly promises: readonly {
    readonly repository: string;
    readonly artifact: Artifact;
    readonly from: number;
    until: number;
  }[];
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
    await cutEverywhere(t, part, times(short, full), life, folder.path, async (target, cut) => {
      const place = { root: join(target, 'store'), stateRoot: join(target, 'state') };
      const isBefore = !life.promises.some(({ from }) => from <= cut);
      if (!isBefore) assert.ok(existsSync(place.root), 'the folder of the store is gone');
      {
        await using store = await openStoreAt(place);
        await requireSound(store);
        requirePromised(store, life, cut);
        const owner = { provenance: 'recipe', recipe: 'a@1' } as const;
        await pushArtifact(openRepository(store, 'after', { owner }), buildImage('after'), 'v1');
      }
      // content without an owner goes by itself, and nothing else
      let now = Date.now() + 48 * 3_600_000;
      await using store = await openStoreAt(place, { now: () => now });
      requirePromised(store, life, cut);
      now += 2 * 3_600_000;
      await collectGarbage(store);
      await requireClean(store);
      requirePromised(store, life, cut);
    });
  });
}
