import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { putMixed } from '../kit/content/mixed-index.ts';
import { createRegistryDouble } from '../kit/result/registry-double.ts';
import { importCarried } from '../kit/scene/import-carried.ts';
import { openSyncScene, toIngredient } from '../kit/scene/sync-scene.ts';

const names = ['root', 'nested', 'amd64', 'arm64', 'ppc64le', 's390x'] as const;

for (const { platforms, carried } of [
  { platforms: undefined, carried: names },
  { platforms: ['linux/s390x', 'linux/arm64'], carried: ['root', 'nested', 'arm64', 's390x'] },
])
  test(`a medium with a nested index is verified and imported with ${platforms?.join(', ') ?? 'all platforms'}`, async () => {
    await using scene = await openSyncScene();
    await using zone = await createRegistryDouble();
    const mixed = putMixed(scene);
    scene.publish('shop', '1.0.0', [
      toIngredient('app', 'library/app', '1.0', mixed.root, platforms && { platforms }),
    ]);
    await scene.setRetriever([['shop', '1.0.0']], { name: 'zone-b' });
    assert.equal((await scene.run()).task.counts.failed, 0);
    const state = join(scene.folder, 'zone-state');
    const imported = await importCarried(scene.storeRoot, [scene.signer], zone, { state });
    assert.equal(imported.error, undefined, imported.said);
    assert.equal(imported.verification?.report.verdict, 'pushable');
    const place = `${scene.origin.host.replace(':', '_')}/library/app`;
    assert.deepEqual(
      names.filter((name) => zone.manifest(place, mixed[name].digest)),
      carried,
    );
    for (const name of carried as typeof names)
      assert.deepEqual(
        zone.manifest(place, mixed[name].digest)?.bytes,
        scene.origin.manifest('library/app', mixed[name].digest)?.bytes,
      );
  });
