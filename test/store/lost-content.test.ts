import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { deleteTag } from '../../src/store/delete-content.ts';
import { openRepository } from '../../src/store/open-repository.ts';
import { quarantine } from '../../src/store/quarantine.ts';
import { buildImage, buildIndex, pushArtifact } from '../kit/content/content.ts';
import { openTempStore } from '../kit/instance/temp-store.ts';

const owner = { provenance: 'recipe', recipe: 'shop@1.0.0' } as const;
const image = buildImage('lost');
const layer = image.blobs.at(-1)!.descriptor.digest;

test('the index names what the store has lost, also after a restart, until it comes again', async () => {
  await using temp = await openTempStore();
  const other = buildImage('other');
  const { digest: manifest } = other.manifest.descriptor;
  const push = (name: string, artifact: typeof image, tag: string): Promise<void> =>
    pushArtifact(openRepository(temp.store, name, { owner }), artifact, tag);
  await push('hit', image, 'v1');
  await push('both', image, 'v1');
  await push('both', other, 'v2');
  assert.equal(temp.store.index.countLost(), 0);
  for (const digest of [layer, manifest]) {
    await rm(join(temp.root, 'blobs', ...digest.split(':')));
    await quarantine(temp.store, [{ digest }]);
  }
  const expectLost = (): void => {
    const { index } = temp.store;
    assert.equal(index.countLost(), 2);
    assert.deepEqual(index.lostBelow(image.manifest.descriptor.digest), [layer]);
    assert.deepEqual(index.lostBelow(manifest), [manifest]);
    assert.deepEqual(
      [image, other].map((each) => index.isLostBelow(each.manifest.descriptor.digest)),
      [true, true],
    );
    assert.deepEqual(['hit', 'both', 'none'].map(index.isLostIn), [true, true, false]);
  };
  expectLost();
  await temp.reopen();
  expectLost();
  await push('both', other, 'v2');
  assert.equal(temp.store.index.countLost(), 1);
  assert.equal(temp.store.index.isLostBelow(manifest), false);
  await deleteTag(temp.store, 'hit', 'v1');
  assert.equal(temp.store.index.isLostIn('hit'), false);
  await deleteTag(temp.store, 'both', 'v1');
  assert.equal(temp.store.index.countLost(), 0);
});

test('a platform that an index leaves out is not lost', async () => {
  await using temp = await openTempStore();
  const index = buildIndex('sparse', ['linux/amd64', 'linux/arm64']);
  const { digest } = index.manifest.descriptor;
  const sparse = { ...index, children: index.children.slice(0, 1) };
  await pushArtifact(openRepository(temp.store, 'sparse', { owner }), sparse, 'v1');
  assert.equal(temp.store.index.countLost(), 0);
  await temp.reopen();
  assert.deepEqual(temp.store.index.lostBelow(digest), []);
});
