import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openLayout } from '../../src/archive/open-layout.ts';
import { deleteRepository, previewDelete } from '../../src/operation/delete-repository.ts';
import { exportLayout } from '../../src/operation/export-layout.ts';
import type { Store } from '../../src/store/model.ts';
import { openRepository } from '../../src/store/open-repository.ts';
import { checkContent } from '../../src/store/repair/check-content.ts';
import { buildImage, pushArtifact } from '../kit/content/content.ts';
import { createMemoryJournal } from '../kit/instance/memory-journal.ts';
import { openSyncScene, type SyncScene } from '../kit/scene/sync-scene.ts';

const names = Array.from({ length: 8 }, (_, i) => `local/tool-${i}`);
const images = names.map((name) => buildImage(name, { ownLayers: 2, layerSize: 200_000 }));

async function fill(store: Store): Promise<void> {
  for (const [i, name] of names.entries())
    await pushArtifact(openRepository(store, name, { owner: { provenance: 'import' } }), images[i]!, '1.0');
}

async function remove(store: Store, name: string): Promise<void> {
  const { fingerprint } = await previewDelete(store, name);
  await deleteRepository(store, name, { fingerprint });
}

const write = (scene: SyncScene, store: Store, output: string, more: object) =>
  exportLayout(
    { config: scene.config(), report: scene.report },
    {
      store,
      output,
      format: 'tar',
      selection: { recipes: [], repositories: [] },
      overwrite: false,
      actor: 'admin',
      ...more,
    },
  );

test('an export has everything that it planned, although all of it is deleted meanwhile, and keeps nothing of it', async () => {
  await using scene = await openSyncScene();
  await using store = await scene.openStore();
  await fill(store);
  const { journal } = createMemoryJournal();
  const setTotalBytes = journal.setTotalBytes.bind(journal);
  const deletions: Promise<void>[] = [];
  // everything is planned, and nothing was read
  journal.setTotalBytes = (total) => {
    setTotalBytes(total);
    for (const name of names) deletions.push(remove(store, name));
  };
  const output = join(scene.folder, 'all.tar');
  const written = await write(scene, store, output, { journal });
  await Promise.all(deletions);
  assert.deepEqual([written.references.length, written.missing], [names.length, []]);
  await using layout = await openLayout(output);
  for (const image of images)
    assert.ok(await layout.source.fetchManifest(image.manifest.descriptor.digest), 'it is in the layout');
  assert.deepEqual(store.index.repositories(), []);
  assert.deepEqual(await readdir(join(scene.storeRoot, 'blobs', 'sha256')), [], 'nothing is left behind');
  for await (const { name, problems } of checkContent(store)) assert.deepEqual(problems, [], name);
});

test('deletions while an export is planned lead to a plan without what they took', async () => {
  await using scene = await openSyncScene();
  await using store = await scene.openStore();
  for (let run = 0; run < 10; run += 1) {
    await fill(store);
    const deletion = remove(store, names[run % names.length]!);
    const { references, missing } = await write(scene, store, join(scene.folder, `${run}.tar`), {});
    await deletion;
    assert.ok(references.length >= names.length - 1, references.join(' '));
    assert.deepEqual(missing, []);
  }
});
