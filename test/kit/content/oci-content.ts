import { type Digest, hashBytes } from '../../../src/base/digest.ts';
import { mediaTypes } from '../../../src/oci/media-types.ts';

export interface Blob {
  readonly digest: Digest;
  readonly bytes: Buffer;
}

export interface TestManifest {
  readonly mediaType: string;
  readonly bytes: Buffer;
  readonly digest: Digest;
}

export function toBlob(content: string | Buffer, algorithm: 'sha256' | 'sha512' = 'sha256'): Blob {
  const bytes = Buffer.from(content as string);
  return { bytes, digest: hashBytes(bytes, algorithm) };
}

export function toManifest(document: Record<string, unknown>): TestManifest {
  const bytes = Buffer.from(JSON.stringify(document));
  return {
    mediaType: String(document.mediaType ?? mediaTypes.ociManifest),
    bytes,
    digest: hashBytes(bytes),
  };
}

/** An image manifest over a configuration and layers, with further given members. */
export function toImage(
  config: Blob,
  layers: readonly Blob[],
  further: Record<string, unknown> = {},
): TestManifest {
  const describe = (blob: Blob, mediaType: string) => ({
    mediaType,
    digest: blob.digest,
    size: blob.bytes.length,
  });
  return toManifest({
    schemaVersion: 2,
    mediaType: mediaTypes.ociManifest,
    config: describe(config, mediaTypes.ociConfig),
    layers: layers.map((layer) => describe(layer, mediaTypes.ociLayer)),
    ...further,
  });
}

/** A recipe artifact around a document; `created` makes another manifest of the same document. */
export function toRecipe(document: Blob, created: string): TestManifest {
  const empty = toBlob('{}');
  return toManifest({
    schemaVersion: 2,
    mediaType: mediaTypes.ociManifest,
    artifactType: mediaTypes.recipe,
    config: { mediaType: mediaTypes.ociEmpty, digest: empty.digest, size: 2 },
    layers: [{ mediaType: mediaTypes.recipe, digest: document.digest, size: document.bytes.length }],
    annotations: { 'org.opencontainers.image.created': created },
  });
}
