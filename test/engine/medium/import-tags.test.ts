import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { isAttachmentTag } from '../../../src/oci/reference.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';
import { importCarried } from '../../kit/scene/import-carried.ts';
import { openSyncScene, type SyncScene, toIngredient } from '../../kit/scene/sync-scene.ts';

const at = (scene: SyncScene, repository: string) => `${scene.origin.host.replace(':', '_')}/${repository}`;

/** Imports the store of a mirror, and requires that each tag of a repository names the same at the destination. */
async function requireSameTags(scene: SyncScene, repository: string, count: number): Promise<void> {
  await using there = await createRegistryDouble();
  const { items } = await importCarried(scene.storeRoot, [scene.signer], there, {
    zone: 'zone-a',
    state: join(scene.folder, 'state-of-the-zone'),
  });
  assert.ok(items.length > 0);
  for (const { name, status, error } of items) assert.equal(status, 'done', `${name} ${error?.code}`);
  const tags = await scene.peek(({ index }) =>
    index.tags(at(scene, repository)).filter(({ tag }) => !isAttachmentTag(tag)),
  );
  assert.equal(tags.length, count);
  for (const { tag, digest } of tags)
    assert.equal(there.manifest(at(scene, repository), tag)?.digest, digest, tag);
}

for (const order of [
  ['n-a', 'n-b', 'n-c'],
  ['n-c', 'n-b', 'n-a'],
])
  test(`a media import gives each tag to the content that has it on the medium (${order.join(', ')})`, async () => {
    await using scene = await openSyncScene({ inMemory: true });
    for (const name of order) {
      const image = scene.putImage('library/web', '1.0');
      scene.publish(name, '1.0.0', [toIngredient('web', 'library/web', '1.0', image)]);
    }
    await scene.setRetriever(order.map((name) => [name, '1.0.0']));
    await scene.run();
    await requireSameTags(scene, 'library/web', 3);
  });

test('a media import gives a tag to the newest recipe when the medium has earlier ones too', async () => {
  await using scene = await openSyncScene({ inMemory: true });
  for (const version of ['1.0.0', '1.1.0']) {
    const image = scene.putImage('library/web', '1.0');
    scene.publish('shop', version, [toIngredient('web', 'library/web', '1.0', image)]);
    await scene.setRetriever([['shop', '*']]);
    await scene.run({ prune: false });
  }
  await requireSameTags(scene, 'library/web', 2);
});

test('a media import leaves the versions of a recipe to the recipe, as the store does', async () => {
  await using scene = await openSyncScene({ inMemory: true });
  const image = scene.putImage('library/web', '1.0');
  const { digest } = scene.publish('vict', '1.0.0', [toIngredient('web', 'library/web', '1.0', image)]);
  const harm = toIngredient('newer', 'cookbook/vict', '9.9.9', { digest }, { kind: 'OCIArtifact' });
  scene.publish('harm', '1.0.0', [harm]);
  await scene.setRetriever([
    ['harm', '1.0.0'],
    ['vict', '1.0.0'],
  ]);
  await scene.run();
  await using there = await createRegistryDouble();
  const state = join(scene.folder, 'state-of-the-zone');
  const { items } = await importCarried(scene.storeRoot, [scene.signer], there, { zone: 'zone-a', state });
  for (const { name, status } of items) assert.equal(status, 'done', name);
  assert.equal(there.manifest(at(scene, 'cookbook/vict'), '9.9.9'), undefined);
  const alias = `ingredient-9.9.9-${digest.slice(7, 19)}`;
  assert.equal(there.manifest(at(scene, 'cookbook/vict'), alias)?.digest, digest);
});
