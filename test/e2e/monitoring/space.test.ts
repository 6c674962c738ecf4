import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { rename, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { mountMemory, needsMount } from '../../fault/rig/small-volume.ts';
import { buildImage } from '../../kit/content/content.ts';
import { pushArtifactOverHttp } from '../../kit/content/push-artifact.ts';
import { startInstance } from '../../kit/instance/instance.ts';
import { openMemoryFolder } from '../../kit/instance/memory-folder.ts';
import { expectAlerts } from '../../kit/program/alerts.ts';
import { scrape } from '../../kit/program/scrape.ts';

const readReady = async (url: string) => {
  const response = await fetch(`${url}/readyz`);
  return { code: response.status, ...((await response.json()) as { status: string; reasons?: string[] }) };
};

test('a store over its threshold, and folders that are gone, are said and raise alerts', async (t) => {
  await using folder = await openMemoryFolder('svc-monitoring-');
  await using instance = await startInstance({
    folder: folder.path,
    config: { storage: { root: join(folder.path, 'store'), occupancyThreshold: '10kB' } },
  });
  const empty = await scrape(instance);
  assert.equal(empty.value('svc_store_occupancy_threshold_bytes'), 10_000);
  assert.equal(empty.value('svc_store_occupancy_exceeded'), 0);
  const place = { registry: instance.url, repository: 'app', authorization: instance.authorization };
  await pushArtifactOverHttp(place, buildImage('threshold', { ownLayers: 2, layerSize: 20_000 }), 'v1');
  const full = await scrape(instance);
  assert.equal(full.value('svc_store_occupancy_exceeded'), 1);
  const among = ['SvcStoreOverThreshold', 'SvcNotReady', 'SvcVolumeFull'];
  await expectAlerts(
    t,
    [empty, full],
    [
      { minute: 4, firing: [], among },
      { minute: 25, firing: ['SvcStoreOverThreshold'], among },
    ],
  );

  for (const [name, condition] of [
    ['state', 'state-away'],
    ['store', 'store-away'],
  ] as const) {
    await rename(join(folder.path, name), join(folder.path, 'aside'));
    const away = await readReady(instance.url);
    assert.deepEqual([away.code, away.status], [503, 'unavailable']);
    assert.match(away.reasons!.join(), new RegExp(`^the folder of the ${name} is absent`));
    const gone = await scrape(instance);
    assert.equal(gone.value('svc_ready'), 0);
    assert.equal(gone.value(`svc_condition{condition="${condition}"}`), 1);
    assert.ok(
      !gone.samples.has(`svc_volume_free_bytes{volume="${name}"}`),
      'what cannot be asked has no value',
    );
    await expectAlerts(t, [full, gone], [{ minute: 12, firing: ['SvcNotReady'], among }]);
    await rename(join(folder.path, 'aside'), join(folder.path, name));
    assert.deepEqual(await readReady(instance.url), { code: 200, status: 'ready' });
  }
});

test('a volume that fills up raises an alert before it is full, and another one when it is', async (t) => {
  await using folder = await openMemoryFolder('svc-monitoring-');
  const place = join(folder.path, 'volume');
  if (!needsMount(t, folder.path)) return;
  await using volume = mountMemory(place, '64m');
  await using instance = await startInstance({
    folder: folder.path,
    config: { storage: { root: join(place, 'store') }, state: { root: join(place, 'state') } },
  });
  const roomy = await scrape(instance);
  const leave = async (bytes: number, name: string): Promise<void> => {
    const { bavail, bsize } = await statfs(volume.path);
    await writeFile(join(volume.path, name), randomBytes(Math.max(0, bavail * bsize - bytes)));
  };
  await leave(5 << 20, 'most');
  const narrow = await scrape(instance);
  assert.ok(narrow.value('svc_volume_free_bytes{volume="store"}') <= 5 << 20);
  assert.equal(narrow.value('svc_volume_size_bytes{volume="store"}'), 64 << 20);
  await leave(16 << 10, 'rest');
  const full = await scrape(instance);
  assert.equal(full.value('svc_condition{condition="store-full"}'), 1);
  assert.equal(full.value('svc_condition{condition="state-full"}'), 1);
  assert.equal(full.value('svc_ready'), 1, 'what is there is served');
  const { code, reasons } = await readReady(instance.url);
  assert.deepEqual([code, reasons?.length], [200, 2]);
  const among = ['SvcVolumeNearlyFull', 'SvcVolumeFull', 'SvcNotReady'];
  await expectAlerts(
    t,
    [roomy, narrow],
    [
      { minute: 4, firing: [], among },
      { minute: 25, firing: ['SvcVolumeNearlyFull'], among },
    ],
  );
  await expectAlerts(
    t,
    [roomy, full],
    [{ minute: 25, firing: ['SvcVolumeNearlyFull', 'SvcVolumeFull'], among }],
  );
});
