import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { type Digest, hashBytes } from '../../../src/base/digest.ts';
import { mediaTypes } from '../../../src/oci/media-types.ts';
import type { Store } from '../../../src/store/model.ts';
import { openRepository } from '../../../src/store/open-repository.ts';
import { newTemporary, takeFile } from '../../../src/store/write-blob.ts';
import { toBlob, toManifest } from './content.ts';

/** Puts a blob that is one hole. */
export async function putHole(store: Store, digest: Digest, size: number): Promise<void> {
  const path = await newTemporary(store, 0);
  const file = await open(path, 'wx');
  await file.truncate(size);
  await file.close();
  await takeFile(store, path, digest, size);
}

/**
 * Puts an image whose layers are files of holes into a store: as large as they are asked for, taking no room. Their bytes
 * do not match their digests, which a plan does not notice.
 *
 * @param sizes bytes of each layer
 */
export async function putHoles(store: Store, name: string, sizes: readonly number[]): Promise<void> {
  const layers: unknown[] = [];
  for (const size of sizes) {
    const digest = hashBytes(`${name} ${size}`);
    await putHole(store, digest, size);
    layers.push({ mediaType: mediaTypes.ociLayer, digest, size });
  }
  const config = toBlob('{}', mediaTypes.ociConfig);
  const repository = openRepository(store, name, { owner: { provenance: 'import' } });
  await repository.pushBlob(config.descriptor, Readable.from([config.bytes]));
  const document = {
    schemaVersion: 2,
    mediaType: mediaTypes.ociManifest,
    config: config.descriptor,
    layers,
  };
  await repository.pushManifest('1', toManifest(document));
}
