import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSyncScene, toIngredient } from '../../kit/scene/sync-scene.ts';

test('transfers under way are counted up and down, also when one fails; a promotion that fails is counted', async () => {
  await using scene = await openSyncScene();
  const image = scene.putImage('library/web', '1.0');
  scene.publish('shop', '1.0.0', [toIngredient('web', 'library/web', '1.0', image)]);
  await scene.setRetriever([['shop', '1.0.0']]);
  const valuesOf = (name: string, labels: Readonly<Record<string, string>> = {}): readonly number[] =>
    scene.report.measured
      .filter((each) => each.name === name && Object.entries(labels).every(([k, v]) => each.labels[k] === v))
      .map(({ value }) => value);
  // nobody listens there
  const { task } = await scene.run({
    change: {
      mode: 'passthrough',
      registries: { insecure: [scene.origin.host, '127.0.0.1:1'] },
      destination: { registry: '127.0.0.1:1' },
    },
  });
  assert.equal(task.counts.failed > 0, true, JSON.stringify(task.items));
  assert.deepEqual(valuesOf('svc_sync_transfers_inflight'), [1, 0]);
  assert.ok(valuesOf('svc_promotion_pushes_total', { result: 'failed' }).length > 0);
  assert.deepEqual(valuesOf('svc_sync_last_outcome', { outcome: 'failure' }), [1]);
  assert.deepEqual(valuesOf('svc_sync_recipes', { status: 'failed' }), [1]);

  // the same tag has other content now
  const next = scene.putImage('library/web', '1.0');
  scene.publish('shop', '1.1.0', [toIngredient('web', 'library/web', '1.0', next)]);
  await scene.setRetriever([['shop', '1.1.0']]);
  await scene.run({ change: { mode: 'mirror' } });
  assert.deepEqual(valuesOf('svc_ingredients_total', { status: 'outdated' }), [1]);
  assert.deepEqual(valuesOf('svc_sync_transfers_inflight').at(-1), 0);
});
