import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import { buildImage } from '../../kit/content/content.ts';
import { pushArtifactOverHttp } from '../../kit/content/push-artifact.ts';
import { adminPassword, startInstance } from '../../kit/instance/instance.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { writeCredentials } from '../../kit/program/credentials-file.ts';
import { startPeerRegistry } from '../../kit/program/peer-registry.ts';
import { needs } from '../../kit/program/peers.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';
import { openSyncScene, type SyncScene, toIngredient } from '../../kit/scene/sync-scene.ts';

const strong = buildImage('pinned by sha512', { algorithm: 'sha512' });
const { bytes, descriptor: pinned } = strong.manifest;

/** A recipe whose image is pinned by sha512. */
async function publishStrong(scene: SyncScene): Promise<void> {
  await pushArtifactOverHttp({ registry: scene.origin.origin, repository: 'library/strong' }, strong);
  scene.origin.putManifest('library/strong', bytes, { tag: '1.0', mediaType: pinned.mediaType });
  scene.publish('shop', '1.0.0', [toIngredient('strong', 'library/strong', '1.0', pinned)]);
  await scene.setRetriever([['shop', '1.0.0']]);
}

const toChange = (scene: SyncScene, registry: string, credentials?: string) => ({
  mode: 'passthrough' as const,
  registries: {
    insecure: [scene.origin.host, registry],
    ...(credentials === undefined ? {} : { credentialsFile: credentials }),
  },
  destination: { registry, cookbook: 'our/cookbook' },
});

const statusesOf = ({ task }: Awaited<ReturnType<SyncScene['run']>>) =>
  task.resolutions?.map(({ destinationStatus }) => destinationStatus);

test('an ingredient pinned by sha512 can be fetched by its pin at our own registry, and is sent once', async () => {
  await using scene = await openSyncScene();
  await using folder = await openTempFolder();
  await using instance = await startInstance({ folder: folder.path });
  await publishStrong(scene);
  const credentials = await writeCredentials(join(scene.folder, 'credentials.json'), {
    [instance.host]: { username: 'admin', password: adminPassword },
  });
  const change = toChange(scene, instance.host, credentials);
  const first = await scene.run({ change });
  assert.equal(first.task.counts.failed, 0, JSON.stringify(first.task.items));
  const base = `${instance.url}/v2/${scene.origin.host.replace(':', '_')}/library/strong/manifests`;
  for (const reference of [pinned.digest, '1.0']) {
    const response = await fetch(`${base}/${reference}`, {
      headers: { authorization: instance.authorization },
    });
    assert.equal(response.status, 200, reference);
    assert.equal(response.headers.get('docker-content-digest'), pinned.digest);
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), bytes);
  }
  assert.deepEqual(statusesOf(await scene.run({ change })), ['up-to-date', 'up-to-date']);
  assert.equal((await scene.plan({ change })).exit_code, 0);
});

test('a destination that names by sha256 what it gets under a tag has the pin too, and is sent it once', async () => {
  await using scene = await openSyncScene();
  await using zone = await createRegistryDouble();
  await publishStrong(scene);
  const change = toChange(scene, zone.host);
  assert.deepEqual(statusesOf(await scene.run({ change })), ['pushed', 'pushed']);
  const place = `${scene.origin.host.replace(':', '_')}/library/strong`;
  assert.deepEqual(zone.manifest(place, pinned.digest)?.bytes, bytes);
  assert.equal(zone.manifest(place, '1.0')?.digest, hashBytes(bytes));
  zone.requests.length = 0;
  assert.deepEqual(statusesOf(await scene.run({ change })), ['up-to-date', 'up-to-date']);
  assert.equal(zone.count(/^(PUT|POST|PATCH)/), 0);
  assert.equal((await scene.plan({ change })).exit_code, 0);
  // the next hop reads there by the pin
  await using next = await openSyncScene();
  next.publish('shop', '1.0.0', [toIngredient('strong', place, '1.0', pinned, { host: zone.host })]);
  await next.setRetriever([['shop', '1.0.0']]);
  const { task } = await next.run({
    change: { registries: { insecure: [next.origin.host, zone.host] } },
  });
  assert.equal(task.counts.failed, 0, JSON.stringify(task.items));
});

test('what an earlier version put under its tag only is made fetchable by its pin', async () => {
  await using scene = await openSyncScene();
  await using zone = await createRegistryDouble();
  await publishStrong(scene);
  const place = `${scene.origin.host.replace(':', '_')}/library/strong`;
  await pushArtifactOverHttp({ registry: zone.origin, repository: place }, strong, '1.0');
  const change = toChange(scene, zone.host);
  assert.equal((await scene.plan({ change })).plan.recipes[0]?.ingredients[0]?.destinationStatus, 'outdated');
  assert.equal((await scene.run({ change })).task.counts.failed, 0);
  assert.deepEqual(zone.manifest(place, pinned.digest)?.bytes, bytes);
});

for (const name of ['registry', 'docker-registry'])
  test(`${name} refuses an ingredient pinned by sha512, and that is said by a code of its own`, async (t) => {
    const program = needs(t, name);
    if (program === undefined) return;
    await using scene = await openSyncScene();
    await using peer = await startPeerRegistry({ program, folder: join(scene.folder, 'peer') });
    await publishStrong(scene);
    const { task } = await scene.run({ change: toChange(scene, peer.host) });
    const error = task.items.find(({ name: item }) => item === 'shop@1.0.0/strong')?.error;
    assert.equal(error?.code, 'SVC-DST-003', JSON.stringify(error));
    assert.equal(error.params.digest, pinned.digest);
    const response = await fetch(
      `${peer.url}/v2/${scene.origin.host.replace(':', '_')}/library/strong/manifests/1.0`,
    );
    assert.equal(response.status, 404, 'no tag leads to what cannot be fetched by its pin');
  });
