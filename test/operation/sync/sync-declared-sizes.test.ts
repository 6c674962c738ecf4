import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspectVolume } from '../../../src/disk/volume.ts';
import type { Descriptor } from '../../../src/oci/descriptor.ts';
import { openSyncScene, type SyncScene, toIngredient } from '../../kit/scene/sync-scene.ts';

/** An image whose layer has another size than its manifest declares. */
function putMisdeclared(scene: SyncScene, repository: string, size: number): Descriptor {
  const honest = scene.putImage(repository, 'honest');
  const manifest = JSON.parse(scene.origin.manifest(repository, honest.digest)!.bytes.toString());
  manifest.layers[0].size = size;
  return scene.origin.putManifest(repository, manifest, { tag: '1.0' });
}

const errorsOf = ({ task }: Awaited<ReturnType<SyncScene['run']>>): Record<string, string> =>
  Object.fromEntries(
    task.items
      .filter(({ name }) => !name.includes('/'))
      .map(({ name, status, error }) => [name.split('@')[0]!, error?.code ?? status]),
  );

for (const order of [
  ['liar', 'victim'],
  ['victim', 'liar'],
])
  test(`a layer declared larger than the volume fails its own recipe only: ${order[0]} first`, async () => {
    for (const size of [2 ** 50, 2 ** 53 - 1]) {
      await using scene = await openSyncScene();
      const liar = putMisdeclared(scene, 'team/liar', size);
      scene.publish('liar', '1.0.0', [toIngredient('app', 'team/liar', '1.0', liar)]);
      scene.publish('victim', '1.0.0', [
        toIngredient('app', 'team/app', '1.0', scene.putImage('team/app', '1.0')),
      ]);
      await scene.setRetriever(order.map((name) => [name, '1.0.0']));
      const { plan, exit_code } = await scene.plan();
      assert.equal(exit_code, 1);
      assert.deepEqual(
        plan.problems.map(({ code, params }) => [code, params.needed]),
        [['SVC-STO-004', size]],
      );
      assert.equal(plan.checks[0]!.shortfallBytes, 0);
      for (let i = 0; i < 2; i += 1) {
        const run = await scene.run();
        assert.deepEqual(errorsOf(run), { liar: 'SVC-STO-004', victim: 'done' });
        const item = run.task.items.find(({ name }) => name === 'liar@1.0.0/app');
        assert.ok(Number(item?.error?.params.shortfall) > 0);
        assert.ok(
          run.task.progress.bytesTotal < 1_000_000,
          'the false size does not count as progress to make',
        );
      }
      assert.equal(
        (await scene.plan()).plan.recipes.find(({ name }) => name === 'victim')?.problem,
        undefined,
      );
    }
  });

test('where the projection does not fit, a layer of another size than its registry announces fails its recipe only', async () => {
  await using scene = await openSyncScene();
  const { totalBytes, freeBytes } = await inspectVolume(scene.folder);
  const size = Math.min(Math.floor(totalBytes / 2), freeBytes * 2);
  const change = { preflight: { safetyMarginPercent: 99 } };
  const liar = putMisdeclared(scene, 'team/liar', size);
  scene.publish('liar', '1.0.0', [toIngredient('app', 'team/liar', '1.0', liar)]);
  const honest = scene.putImage('team/app', '1.0');
  scene.publish('victim', '1.0.0', [toIngredient('app', 'team/app', '1.0', honest)]);
  await scene.setRetriever([
    ['liar', '1.0.0'],
    ['victim', '1.0.0'],
  ]);
  assert.equal((await scene.plan({ change })).exit_code, 1);
  for (let i = 0; i < 2; i += 1)
    assert.deepEqual(errorsOf(await scene.run({ change })), { liar: 'SVC-REG-007', victim: 'done' });
});

test('a run is refused as a whole when there is no other recipe', async () => {
  await using scene = await openSyncScene();
  const liar = putMisdeclared(scene, 'team/liar', 2 ** 50);
  scene.publish('liar', '1.0.0', [toIngredient('app', 'team/liar', '1.0', liar)]);
  await scene.setRetriever([['liar', '1.0.0']]);
  await assert.rejects(scene.run(), { code: 'SVC-STO-004' });
  const { plan } = await scene.plan();
  assert.equal(plan.checks[0]!.refusalCode, 'SVC-STO-004');
  assert.ok(plan.checks[0]!.shortfallBytes > 0);
});

test('registries are not asked for sizes while the projection fits', async () => {
  await using scene = await openSyncScene();
  const image = scene.putImage('team/app', '1.0');
  scene.publish('one', '1.0.0', [toIngredient('app', 'team/app', '1.0', image)]);
  await scene.setRetriever([['one', '1.0.0']]);
  await scene.run();
  assert.equal(scene.origin.count(/^HEAD .*blobs/), 0);
});
