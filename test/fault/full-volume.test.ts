import assert from 'node:assert/strict';
import { mkdir, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openRepository } from '../../src/store/open-repository.ts';
import { putTags } from '../../src/store/put-tags.ts';
import { writeRest } from '../../src/store/rest/write-rest.ts';
import { buildImage, pushArtifact } from '../kit/content/content.ts';
import { openStoreAt } from '../kit/instance/open-store-at.ts';
import { createRecordingReport } from '../kit/instance/recording-report.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { mountMemory, needsMount } from './rig/small-volume.ts';

const owner = { provenance: 'recipe', recipe: 'app@1.0.0' } as const;

/** Takes every free block of a volume but so many bytes. */
async function fill(path: string, left = 0): Promise<void> {
  const { bavail, bsize } = await statfs(path);
  await writeFile(join(path, 'filler'), Buffer.alloc(bavail * bsize - left));
}

test('a ledger that cannot be compacted on a full volume fails no rest', async (t) => {
  await using folder = await openTempFolder('svc-full-');
  if (!needsMount(t, folder.path)) return;
  await using volume = mountMemory(join(folder.path, 'volume'), '24m');
  const stateRoot = join(folder.path, 'state');
  await mkdir(stateRoot);
  const report = createRecordingReport();
  const root = join(volume.path, 'store');
  await using store = await openStoreAt({ root, stateRoot }, { mode: 'passthrough', report });
  const repository = 'many/tags';
  const [one, other] = [buildImage('one'), buildImage('other')];
  for (const image of [one, other])
    await pushArtifact(
      openRepository(store, repository, { owner }),
      image,
      image.manifest.descriptor.digest.slice(7, 20),
    );
  const { digest } = one.manifest.descriptor;
  const to = ({ manifest }: typeof one) =>
    ({ repository, tag: 'moving', digest: manifest.descriptor.digest, kind: 'OCIArtifact', owner }) as const;
  for (let round = 0; round < 2400; round += 1) {
    await putTags(store, [to(one)]);
    await putTags(store, [to(other)]);
  }
  await fill(volume.path);
  await writeRest(store);
  const warnings = report.records.filter(({ level }) => level === 'warn').map(({ message }) => message);
  assert.deepEqual(warnings, [
    'A ledger of the store could not be compacted',
    'index.json of the store could not be written',
  ]);
  assert.ok(store.index.manifest(digest));
});
