import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import { openMemoryRegistry } from '../../../src/engine/prove/memory-registry.ts';
import { buildImage, buildIndex, pushArtifact, toBlob, toManifest } from '../../kit/content/content.ts';

/** As CNCF distribution answers with its default settings. */
const asDistribution = { sparse: 'refused', 'foreign-layers': 'refused', 'long-digest': 'refused' } as const;

const image = buildImage('web', { ownLayers: 2 });
const index = buildIndex('worker', ['linux/amd64', 'linux/arm64']);
const foreign = 'application/vnd.docker.image.rootfs.foreign.diff.tar.gzip';

test('content that only some registries accept is accepted and listed where the zone is not known', async () => {
  const registry = openMemoryRegistry({
    traits: { sparse: 'unknown', 'foreign-layers': 'accepted', 'long-digest': 'unknown' },
  });
  const at = registry.repository({ host: 'zone.example', repository: 'worker' }, { access: 'push' });
  await pushArtifact(at, index.children[0]!.artifact);
  await at.pushManifest('1.0', index.manifest);
  await pushArtifact(at, image);
  const layer = toBlob('of somebody else', foreign).descriptor;
  const document = JSON.parse(image.manifest.bytes.toString('utf8'));
  await at.pushManifest('2.0', toManifest({ ...document, layers: [...document.layers, layer] }));
  const long = buildImage('long', { algorithm: 'sha512' });
  await pushArtifact(at, long, '3.0');
  const { digest } = long.manifest.descriptor;
  assert.deepEqual([...registry.unsure.sparse], ['zone.example/worker:1.0']);
  assert.deepEqual([...registry.unsure['foreign-layers']], []);
  assert.deepEqual([...registry.unsure['long-digest']], [`zone.example/worker@${digest}`]);
  assert.equal((await at.resolve('3.0'))?.digest, hashBytes(long.manifest.bytes));
  assert.equal(await at.hasManifest(digest), true);
});

test('bytes count once for each digest, and seeded content does not count', async () => {
  const registry = openMemoryRegistry({ traits: asDistribution });
  const place = (repository: string) => ({ host: 'zone.example', repository });
  const [config, layer] = image.blobs.map(({ descriptor }) => descriptor);
  registry.seed(place('web'), { blobs: new Map([[layer!.digest, layer!.size]]) });
  const open = (repository: string) => registry.repository(place(repository), { access: 'push' });
  assert.equal(await open('web').hasBlob(layer!), true);
  assert.equal(await open('other').hasBlob(layer!), false);
  await pushArtifact(open('web'), image, '1.0');
  await pushArtifact(open('other'), image, '1.0');
  const last = image.blobs[2]!.descriptor;
  assert.equal(registry.pushedBytes, config!.size + last.size + image.manifest.bytes.length);
});

test('bytes that were hashed already are not read, and others are', async () => {
  const [config, layer] = image.blobs;
  const registry = openMemoryRegistry({
    traits: asDistribution,
    files: {
      isUnchanged: async ({ digest }) => digest === layer!.descriptor.digest,
      open: async () => Readable.from([layer!.bytes]),
    },
  });
  const at = registry.repository({ host: 'zone.example', repository: 'web' }, { access: 'push' });
  const read: string[] = [];
  const counted: number[] = [];
  for (const { descriptor, bytes } of [config!, layer!])
    await at.pushBlob(
      descriptor,
      () => {
        read.push(descriptor.digest);
        return Readable.from([bytes]);
      },
      { onBytes: (count) => counted.push(count) },
    );
  assert.deepEqual(read, [config!.descriptor.digest]);
  assert.deepEqual(counted, [config!.descriptor.size, layer!.descriptor.size]);
  assert.equal(await at.hasBlob(layer!.descriptor), true);
  assert.deepEqual(await buffer(await at.fetchBlob(layer!.descriptor)), layer!.bytes);
  await assert.rejects(at.fetchBlob(image.blobs[2]!.descriptor), { code: 'SVC-REG-005' });
});
