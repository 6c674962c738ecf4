import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deleteTag } from '../../src/store/delete-content.ts';
import type { Store } from '../../src/store/model.ts';
import { openRepository } from '../../src/store/open-repository.ts';
import { buildImage, pushArtifact } from '../kit/content/content.ts';
import { openTempStore } from '../kit/instance/temp-store.ts';

const put = (store: Store, tag: string, seed = tag) =>
  pushArtifact(openRepository(store, 'm', { owner: { provenance: 'import' } }), buildImage(seed), tag);

test('the newest version follows the tags of its repository', async () => {
  await using temp = await openTempStore();
  const { store } = temp;
  const { index } = store;
  assert.equal(index.newestOf('m'), undefined);
  await put(store, 'nightly');
  assert.equal(index.newestOf('m'), 'nightly', 'without a version, the last text');
  await put(store, 'latest');
  assert.equal(index.newestOf('m'), 'nightly');
  await put(store, '1.9.0');
  assert.equal(index.newestOf('m'), '1.9.0', 'a version comes after every text');
  await put(store, 'v1.10.0');
  assert.equal(index.newestOf('m'), 'v1.10.0');
  await put(store, '1.10.0');
  assert.equal(index.newestOf('m'), '1.10.0', 'of equal versions, the one without v');
  await put(store, '1.2.0');
  assert.equal(index.newestOf('m'), '1.10.0', 'an older version changes nothing');
  await put(store, '1.10.0', 'other content');
  assert.equal(index.newestOf('m'), '1.10.0', 'a version that is moved stays the newest');
  await deleteTag(store, 'm', '1.10.0');
  assert.equal(index.newestOf('m'), 'v1.10.0');
  await deleteTag(store, 'm', 'v1.10.0');
  await deleteTag(store, 'm', '1.2.0');
  assert.equal(index.newestOf('m'), '1.9.0');
  await deleteTag(store, 'm', '1.9.0');
  await deleteTag(store, 'm', 'nightly');
  await deleteTag(store, 'm', 'latest');
  assert.equal(index.newestOf('m'), undefined);
});
