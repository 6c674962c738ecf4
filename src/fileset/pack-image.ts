import { type Digest, hashBytes } from '../base/digest.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import type { Manifest } from '../oci/manifest.ts';
import { mediaTypes } from '../oci/media-types.ts';

/** A manifest and its config as bytes. */
export interface FilesetImage {
  readonly digest: Digest;
  readonly manifest: Buffer;
  readonly config: Buffer;
  readonly configDigest: Digest;
}

/**
 * Creates the image of a packed folder, without a time and a processor: the same content gives the same image. The
 * system is Linux, as some unpackers accept no other.
 */
export function toFilesetImage(layer: Descriptor): FilesetImage {
  const config = Buffer.from(
    JSON.stringify({
      architecture: 'unknown',
      os: 'linux',
      config: {},
      rootfs: { type: 'layers', diff_ids: [layer.digest] },
    }),
  );
  const configDigest = hashBytes(config);
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: mediaTypes.ociManifest,
      config: { mediaType: mediaTypes.fileSetConfig, digest: configDigest, size: config.length },
      layers: [layer],
    }),
  );
  return { digest: hashBytes(manifest), manifest, config, configDigest };
}

/**
 * Whether an image is a packed folder: packing its layer again then gives the same image. The manifest has no mark,
 * which would change the digests of already packed folders.
 */
export function isPackedFileset(digest: Digest, manifest: Manifest): boolean {
  if (manifest.kind === 'index') return false;
  const [layer, ...others] = manifest.layers;
  if (layer?.mediaType !== mediaTypes.ociLayer || others.length > 0) return false;
  const { mediaType, digest: content, size } = layer;
  return toFilesetImage({ mediaType, digest: content, size }).digest === digest;
}
