import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deleteRepository } from '../../src/operation/delete-repository.ts';
import { deleteManifest, deleteTag } from '../../src/store/delete-content.ts';
import { buildImage, seededBytes } from '../kit/content/content.ts';
import { toIngredient } from '../kit/scene/sync-scene.ts';
import { openZoneScene, type ZoneScene } from '../kit/scene/zone-scene.ts';

interface Named {
  readonly repository: string;
  readonly tag: string;
}

const names = (items: readonly Named[] = []) =>
  items.map(({ repository, tag }) => `${repository}:${tag}`).sort();

const ownersOf = ({ store }: ZoneScene, digest: Parameters<typeof store.index.tagsOf>[0]) =>
  store.index.tagsOf(digest).map(({ owners }) => owners.map(({ provenance }) => provenance));

/** An image under `x:3` of the origin, pinned by a version of `shop`. */
function pin({ scene }: ZoneScene, version: string, image = scene.putImage('library/x', '3')) {
  scene.publish('shop', version, [toIngredient('x', 'library/x', '3', image)]);
  return image;
}

async function assertPrune(zone: ZoneScene) {
  const preview = await zone.preview();
  const { plan } = await zone.plan(true);
  const { task, outcome } = await zone.sync(true);
  assert.equal(task.counts.failed, 0);
  assert.deepEqual(preview.items, plan.prune.items);
  assert.deepEqual(names(task.pruned), names(preview.items));
  assert.equal(preview.totalBytes, plan.prune.totalBytes);
  assert.equal(outcome.prunedBytes, preview.totalBytes);
  return preview;
}

for (const prune of [false, true])
  test(`what was imported keeps a name when a recipe pins its tag elsewhere (prune: ${prune})`, async () => {
    await using zone = await openZoneScene();
    const { scene } = zone;
    const imported = scene.putImage('library/x', '3');
    await zone.take('library/x', '3');
    const pinned = pin(zone, '1.0.0');
    await scene.setRetriever([['shop', '*']]);
    const { task } = await zone.sync(prune);
    assert.equal(task.counts.failed, 0);
    assert.deepEqual(task.pruned ?? [], []);
    assert.equal(zone.store.index.tag(zone.toLocal('library/x'), '3')?.digest, pinned.digest);
    assert.deepEqual(ownersOf(zone, imported.digest), [['import']]);
    assert.equal(zone.store.index.reach(imported.digest).size, 3, 'manifest, config and layer are there');
    await zone.restart();
    assert.deepEqual(ownersOf(zone, imported.digest), [['import']]);
  });

test('an import survives the prune of a recipe that held the same image', async () => {
  await using zone = await openZoneScene();
  const imported = pin(zone, '1.0.0');
  await zone.scene.setRetriever([['shop', '*']]);
  await zone.sync(false);
  await zone.take('library/x', '3');
  pin(zone, '1.1.0');
  await assertPrune(zone);
  assert.deepEqual(ownersOf(zone, imported.digest), [['import']]);
});

test('a pushed tag keeps a name when a recipe pins it elsewhere', async () => {
  await using zone = await openZoneScene();
  const repository = zone.toLocal('library/x');
  const pushed = buildImage('pushed by hand');
  await zone.push(repository, '3', pushed);
  const pinned = pin(zone, '1.0.0');
  await zone.scene.setRetriever([['shop', '*']]);
  await zone.sync(true);
  assert.equal(zone.store.index.tag(repository, '3')?.digest, pinned.digest);
  assert.deepEqual(ownersOf(zone, pushed.manifest.descriptor.digest), [['push']]);
});

test('a pushed tag names the pushed image again once the recipe that pinned it elsewhere is pruned', async () => {
  await using zone = await openZoneScene();
  const { scene } = zone;
  const repository = zone.toLocal('library/x');
  const pushed = buildImage('pushed by hand');
  const { digest } = pushed.manifest.descriptor;
  await zone.push(repository, '3', pushed);
  const pinned = pin(zone, '1.0.0');
  await scene.setRetriever([['shop', '*']]);
  await zone.sync(true);
  await zone.restart();
  scene.publish('other', '1.0.0', [toIngredient('y', 'library/y', '1', scene.putImage('library/y', '1'))]);
  await scene.setRetriever([['other', '*']]);
  const preview = await assertPrune(zone);
  const item = preview.items.find((one) => one.repository === repository && one.tag === '3');
  assert.deepEqual([item?.digest, item?.restored], [pinned.digest, digest]);
  const tags = () =>
    zone.store.index.tags(repository).map(({ tag, digest, owners }) => ({ tag, digest, owners }));
  const back = [{ tag: '3', digest, owners: [{ provenance: 'push' }] }];
  assert.deepEqual(tags(), back);
  await zone.restart();
  assert.deepEqual(tags(), back);
  await assertPrune(zone);
});

test('a tag that a recipe or an import takes over is audited with what it named before, and the cause', async () => {
  await using zone = await openZoneScene();
  const { scene } = zone;
  const repository = zone.toLocal('library/x');
  const retags = () =>
    scene.report.audits
      .filter(({ action }) => action === 'content.retag')
      .map(({ actor, target, details }) => ({ actor, target, details }));
  const pushed = buildImage('pushed by hand').manifest.descriptor.digest;
  await zone.push(repository, '3', buildImage('pushed by hand'));
  const imported = scene.putImage('library/x', '3').digest;
  await zone.take('library/x', '3');
  const source = `${scene.origin.host}/library/x:3`;
  const target = `${repository}:3`;
  const byImport = { actor: 'test', target, details: { previous: pushed, digest: imported, source } };
  assert.deepEqual(retags(), [byImport]);
  const pinned = pin(zone, '1.0.0').digest;
  await scene.setRetriever([['shop', '*']]);
  const { task } = await zone.sync(true);
  const recipe = 'shop@1.0.0';
  const byRecipe = { actor: task.actor, target, details: { previous: imported, digest: pinned, recipe } };
  assert.deepEqual(retags(), [byImport, byRecipe]);
  await zone.sync(true);
  assert.equal(retags().length, 2, 'a run that changes nothing audits nothing');
  scene.publish('other', '1.0.0', [toIngredient('y', 'library/y', '1', scene.putImage('library/y', '1'))]);
  await scene.setRetriever([['other', '*']]);
  await zone.sync(true);
  const pruned = scene.report.audits.find((one) => one.action === 'prune' && one.target === target);
  assert.deepEqual(
    [pruned?.actor, pruned?.details],
    [task.actor, { digest: pinned, recipe, restored: imported }],
  );
});

test('of several owners that wait for a tag the one that was displaced last gets it back', async () => {
  await using zone = await openZoneScene();
  const { scene, store } = zone;
  const repository = zone.toLocal('library/x');
  const pushed = buildImage('pushed first').manifest.descriptor.digest;
  await zone.push(repository, '3', buildImage('pushed first'));
  const imported = scene.putImage('library/x', '3');
  await zone.take('library/x', '3');
  pin(zone, '1.0.0');
  await scene.setRetriever([['shop', '*']]);
  await zone.sync(true);
  scene.publish('other', '1.0.0', [toIngredient('y', 'library/y', '1', scene.putImage('library/y', '1'))]);
  await scene.setRetriever([['other', '*']]);
  await assertPrune(zone);
  assert.equal(store.index.tag(repository, '3')?.digest, imported.digest);
  await deleteRepository(store, repository);
  assert.deepEqual(
    store.index.tags(repository).map(({ tag, digest }) => [tag, digest]),
    [['3', pushed]],
  );
});

test('a tag that is deleted names again what another owner had under it', async () => {
  await using zone = await openZoneScene();
  const { scene, store } = zone;
  const repository = zone.toLocal('library/x');
  const imported = scene.putImage('library/x', '3');
  await zone.take('library/x', '3');
  const pushed = buildImage('pushed over it');
  await zone.push(repository, '3', pushed);
  await deleteTag(store, repository, '3');
  assert.equal(store.index.tag(repository, '3')?.digest, imported.digest);
  await zone.push(repository, '3', pushed);
  await deleteManifest(store, repository, pushed.manifest.descriptor.digest);
  assert.deepEqual(
    store.index.tags(repository).map(({ tag, digest, owners }) => [tag, digest, owners]),
    [['3', imported.digest, [{ provenance: 'import' }]]],
  );
});

test('what one owner holds stays under a name when another imports or pushes over its tag', async () => {
  await using zone = await openZoneScene();
  const { scene } = zone;
  const repository = zone.toLocal('library/x');
  const imported = scene.putImage('library/x', '3');
  await zone.take('library/x', '3');
  const pushed = buildImage('pushed over it');
  await zone.push(repository, '3', pushed);
  assert.deepEqual(ownersOf(zone, imported.digest), [['import']]);
  scene.putImage('library/x', '3');
  await zone.take('library/x', '3');
  assert.deepEqual(ownersOf(zone, pushed.manifest.descriptor.digest), [['push']]);
  assert.deepEqual(ownersOf(zone, imported.digest), [['import']], 'a later import gave up another tag');
  const last = zone.store.index.tag(repository, '3')!.digest;
  scene.putImage('library/x', '3');
  await zone.take('library/x', '3');
  assert.equal(zone.store.index.sizeOf(last), undefined, 'an import replaces what an import named');
});

test('an alias that another owner holds does not fail the displaced tag', async () => {
  await using zone = await openZoneScene();
  const { scene } = zone;
  const repository = zone.toLocal('library/x');
  const imported = scene.putImage('library/x', '3');
  await zone.take('library/x', '3');
  const taken = buildImage('takes the alias');
  await zone.push(repository, `3-${imported.digest.slice(7, 19)}`, taken);
  await zone.push(repository, '3', buildImage('pushed over it'));
  assert.deepEqual(ownersOf(zone, imported.digest), [['import']]);
  assert.deepEqual(ownersOf(zone, taken.manifest.descriptor.digest), [['push']]);
});

test('the signature tag of an image that several hold stays with those that are left', async () => {
  await using zone = await openZoneScene();
  const { scene } = zone;
  const image = pin(zone, '1.0.0');
  scene.pushSignature('library/x', scene.signer.sign(image, 'classic'));
  await scene.setRetriever([['shop', '1.0.0']]);
  await zone.take('library/x', '3');
  scene.pushSignature('library/x', scene.signer.sign(image, 'classic'));
  await zone.sync(true);
  scene.publish('other', '1.0.0', [toIngredient('y', 'library/y', '1', scene.putImage('library/y', '1'))]);
  await scene.setRetriever([['other', '1.0.0']]);
  await assertPrune(zone);
  const tag = `sha256-${image.digest.slice(7)}.sig`;
  assert.deepEqual(zone.store.index.tag(zone.toLocal('library/x'), tag)?.owners, [{ provenance: 'import' }]);
});

test('a patch release that shares its ingredients prunes what the preview says, items and bytes', async () => {
  await using zone = await openZoneScene();
  const { scene } = zone;
  const image = pin(zone, '1.0.0');
  await scene.setRetriever([['shop', '*']]);
  await zone.sync(true);
  pin(zone, '1.0.1', image);
  const preview = await assertPrune(zone);
  assert.deepEqual(new Set(preview.items.map(({ recipe }) => recipe)), new Set(['shop@1.0.0']));
  assert.equal(preview.count, 2, 'the recipe and its signature');
});

test('a layer that the next release shares is not counted as set free', async () => {
  await using zone = await openZoneScene();
  const { scene } = zone;
  const layers = [seededBytes('shared', 1_000_000)];
  const platforms = ['linux/amd64', 'linux/arm64'];
  pin(zone, '1.0.0', scene.putImage('library/x', '3', { layers, platforms }));
  await scene.setRetriever([['shop', '*']]);
  await zone.sync(true);
  pin(zone, '1.1.0', scene.putImage('library/x', '3', { layers }));
  const preview = await assertPrune(zone);
  assert.ok(preview.totalBytes < 100_000, `${preview.totalBytes}`);
  assert.ok(
    preview.items.some(({ tag }) => tag.startsWith('3-')),
    'what the tag named before goes',
  );
});

test('a preview of a run that would prune nothing for a broken ingredient is its error', async () => {
  await using zone = await openZoneScene();
  const { scene } = zone;
  pin(zone, '1.0.0');
  await scene.setRetriever([['shop', '*']]);
  await zone.sync(true);
  scene.publish('shop', '1.1.0', [
    toIngredient('x', 'library/x', '4', { digest: `sha256:${'1'.repeat(64)}` }),
  ]);
  await assert.rejects(zone.preview(), { code: 'SVC-REG-005' });
  assert.equal((await zone.plan(true)).plan.prune.evaluated, false);
  assert.equal((await zone.sync(true)).task.pruned, undefined);
});

test('pruning a recipe keeps content that the same recipe of another cookbook names', async () => {
  await using zone = await openZoneScene();
  const { scene } = zone;
  const image = pin(zone, '1.0.0');
  await scene.setRetriever([['shop', '*']]);
  await zone.sync(true);
  scene.publish('shop', '1.0.0', [toIngredient('x', 'library/x', '3', image)], { cookbook: 'other/books' });
  await scene.setRetriever([['shop', '*']], { cookbook: 'other/books' });
  const preview = await assertPrune(zone);
  assert.equal(
    preview.items.some(({ repository }) => repository.endsWith('library/x')),
    false,
  );
});
