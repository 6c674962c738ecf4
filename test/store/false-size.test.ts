import assert from 'node:assert/strict';
import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import type { Descriptor } from '../../src/oci/descriptor.ts';
import { blobPath } from '../../src/oci/layout.ts';
import { mediaTypes } from '../../src/oci/media-types.ts';
import { openBlob } from '../../src/store/open-blob.ts';
import { openRepository } from '../../src/store/open-repository.ts';
import { buildImage, buildIndex, pushArtifact, toBlob, toManifest } from '../kit/content/content.ts';
import { openTempStore } from '../kit/instance/temp-store.ts';

const owner = { provenance: 'import' } as const;

test('an index that brings a manifest with a false size of a layer does not make the layer unusable after a restart', async () => {
  await using temp = await openTempStore();
  const image = buildImage('app');
  const { layers, config } = JSON.parse(image.manifest.bytes.toString()) as {
    layers: [Descriptor, ...Descriptor[]];
    config: Descriptor;
  };
  const [layer] = layers;
  const put = async (blob: { descriptor: Descriptor; bytes: Buffer }) => {
    const repository = openRepository(temp.store, 'evil/app', { owner });
    await repository.pushBlob(blob.descriptor, Readable.from([blob.bytes]));
  };
  for (const blob of image.blobs) await put(blob);
  // a manifest that was stored as a blob, whose sizes nobody has checked
  const lie = toManifest({
    schemaVersion: 2,
    mediaType: mediaTypes.ociManifest,
    config,
    layers: [{ ...layer, size: layer.size + 5 }],
  });
  await put(toBlob(lie.bytes, lie.descriptor.mediaType));
  const index = toManifest({
    schemaVersion: 2,
    mediaType: mediaTypes.ociIndex,
    manifests: [lie.descriptor],
  });
  await openRepository(temp.store, 'evil/app', { owner }).pushManifest('v1', index);

  const reopened = await temp.reopen();
  const opened = await openBlob(reopened, layer.digest);
  await opened.file.close();
  assert.equal(opened.size, layer.size);
  // and an honest image with the layer is accepted, and kept
  await pushArtifact(openRepository(reopened, 'good/app', { owner }), image, 'v1');
  assert.equal(reopened.index.sizeOf(layer.digest), layer.size);
  const again = await temp.reopen();
  const second = await openBlob(again, layer.digest);
  await second.file.close();
  assert.equal(second.size, layer.size);
});

test('a recorded size that is false gives way to the bytes, and a damaged blob is still refused', async () => {
  await using temp = await openTempStore();
  const image = buildIndex('app');
  await pushArtifact(openRepository(temp.store, 'good/app', { owner }), image, 'v1');
  const { descriptor } = image.children[0]!.artifact.blobs[0]!;
  const content = temp.store.core.graph.get(descriptor.digest)!;
  content.size = descriptor.size + 5;
  const { file, size } = await openBlob(temp.store, descriptor.digest);
  await file.close();
  assert.equal(size, descriptor.size);
  assert.equal(content.size, descriptor.size);
  await truncate(join(temp.root, blobPath(descriptor.digest)), descriptor.size - 1);
  await assert.rejects(openBlob(temp.store, descriptor.digest), { code: 'SVC-STO-001' });
});
