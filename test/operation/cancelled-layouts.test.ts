import assert from 'node:assert/strict';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { exportLayout } from '../../src/operation/export-layout.ts';
import { importLayout } from '../../src/operation/import-layout.ts';
import type { Store } from '../../src/store/model.ts';
import { openRepository } from '../../src/store/open-repository.ts';
import { checkContent } from '../../src/store/repair/check-content.ts';
import { svcError } from '../../src/text/error.ts';
import { buildImage, pushArtifact } from '../kit/content/content.ts';
import { createMemoryJournal } from '../kit/instance/memory-journal.ts';
import { openSyncScene, type SyncScene } from '../kit/scene/sync-scene.ts';

const image = buildImage('heavy', { ownLayers: 4, layerSize: 3_000_000 });
const name = 'local/heavy';

async function assertSound(store: Store): Promise<void> {
  for await (const { name: step, problems } of checkContent(store)) assert.deepEqual(problems, [], step);
}

/** Cancels when the items are known and no content has moved. */
function openCancel() {
  const cancel = new AbortController();
  const { journal } = createMemoryJournal();
  const setTotalBytes = journal.setTotalBytes.bind(journal);
  journal.setTotalBytes = (total) => {
    setTotalBytes(total);
    cancel.abort(svcError('SVC-TSK-004', { actor: 'ana' }));
  };
  return { signal: cancel.signal, journal };
}

const write = (scene: SyncScene, store: Store, output: string, more: object = {}) =>
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
const read = (scene: SyncScene, store: Store, input: string, more: object = {}) =>
  importLayout(
    { config: scene.config(), report: scene.report },
    { openStore: async () => store, input, actor: 'admin', ...more },
  );

test('a cancelled export leaves no archive, and a cancelled import no tag; done again they are whole', async () => {
  await using scene = await openSyncScene();
  await using target = await openSyncScene();
  const out = join(scene.folder, 'out');
  await mkdir(out);
  const output = join(out, 'all.tar');
  {
    await using store = await scene.openStore();
    await pushArtifact(openRepository(store, name, { owner: { provenance: 'import' } }), image, '1');
    await assert.rejects(write(scene, store, output, openCancel()), { code: 'SVC-TSK-004' });
    assert.deepEqual(await readdir(out), []);
    await write(scene, store, output);
    assert.deepEqual(await readdir(out), ['all.tar']);
  }
  await using store = await target.openStore();
  await assert.rejects(read(target, store, output, openCancel()), { code: 'SVC-TSK-004' });
  assert.equal(store.index.tag(name, '1'), undefined);
  assert.deepEqual(await readdir(join(store.root, '_svc', 'tmp')), []);
  await assertSound(store);
  assert.equal((await read(target, store, output)).failed, 0);
  assert.equal(store.index.tag(name, '1')?.digest, image.manifest.descriptor.digest);
  await assertSound(store);
});
