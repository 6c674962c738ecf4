import assert from 'node:assert/strict';
import { test } from 'node:test';
import { putMixed } from '../../kit/content/mixed-index.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';
import { openSyncScene, toIngredient } from '../../kit/scene/sync-scene.ts';

const wanted = (...platforms: string[]) => ({ platforms });

test('platforms are found in a nested index and in the configuration of a child that names none', async () => {
  await using scene = await openSyncScene();
  const mixed = putMixed(scene);
  const ingredient = toIngredient(
    'app',
    'library/app',
    '1.0',
    mixed.root,
    wanted('linux/s390x', 'linux/arm64'),
  );
  scene.publish('shop', '1.0.0', [ingredient]);
  await scene.setRetriever([['shop', '1.0.0']]);
  const { task } = await scene.run();
  assert.equal(task.counts.failed, 0, JSON.stringify(task.items));
  const here = (names: readonly (keyof typeof mixed)[]) =>
    scene.peek(({ index }) => names.filter((name) => index.manifest(mixed[name].digest) !== undefined));
  assert.deepEqual(await here(['root', 'nested', 'amd64', 'arm64', 'ppc64le', 's390x']), [
    'root',
    'nested',
    'arm64',
    's390x',
  ]);
  scene.origin.requests.length = 0;
  await scene.run();
  assert.ok(scene.origin.requests.length <= 3, 'what was not carried is not asked for again');
});

test('a platform that is nowhere below the index is named with those that are', async () => {
  await using scene = await openSyncScene();
  const { root } = putMixed(scene);
  scene.publish('shop', '1.0.0', [
    toIngredient('app', 'library/app', '1.0', root, wanted('linux/s390x', 'linux/riscv64')),
  ]);
  await scene.setRetriever([['shop', '1.0.0']]);
  const { task } = await scene.run();
  const error = task.items.find(({ name }) => name === 'shop@1.0.0/app')?.error;
  assert.equal(error?.code, 'SVC-REG-008');
  assert.deepEqual(error.params.platforms, ['linux/riscv64']);
  assert.deepEqual([...(error.params.available as string[])].sort(), [
    'linux/amd64',
    'linux/arm64',
    'linux/ppc64le',
    'linux/s390x',
  ]);
});

test('what was carried of a nested index goes on to a destination', async () => {
  await using scene = await openSyncScene();
  await using zone = await createRegistryDouble();
  const mixed = putMixed(scene);
  scene.publish('shop', '1.0.0', [
    toIngredient('app', 'library/app', '1.0', mixed.root, wanted('linux/ppc64le', 'linux/arm64')),
  ]);
  await scene.setRetriever([['shop', '1.0.0']]);
  const change = {
    mode: 'passthrough' as const,
    registries: { insecure: [scene.origin.host, zone.host] },
    destination: { registry: zone.host, cookbook: 'our/cookbook' },
  };
  const { task } = await scene.run({ change });
  assert.equal(task.counts.failed, 0, JSON.stringify(task.items));
  const place = `${scene.origin.host.replace(':', '_')}/library/app`;
  const there = (['root', 'nested', 'amd64', 'arm64', 'ppc64le', 's390x'] as const).filter((name) =>
    zone.manifest(place, mixed[name].digest),
  );
  assert.deepEqual(there, ['root', 'nested', 'arm64', 'ppc64le']);
  zone.requests.length = 0;
  await scene.run({ change });
  assert.equal(zone.count(/^(PUT|POST|PATCH)/), 0);
});
