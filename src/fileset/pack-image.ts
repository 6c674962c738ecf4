import { type Digest, hashBytes } from '../base/digest.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import { mediaTypes } from '../oci/media-types.ts';

/** A manifest with its config, byte for byte. */
export interface FilesetImage {
  readonly digest: Digest;
  readonly manifest: Buffer;
  readonly config: Buffer;
}

/**
 * An image says neither when it was made nor for which processor: the same content is the same image. Some unpackers take
 * no other system than Linux.
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
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: mediaTypes.ociManifest,
      config: { mediaType: mediaTypes.fileSetConfig, digest: hashBytes(config), size: config.length },
      layers: [layer],
    }),
  );
  return { digest: hashBytes(manifest), manifest, config };
}
