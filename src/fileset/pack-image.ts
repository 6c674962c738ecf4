import { type Digest, hashBytes } from '../base/digest.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import { mediaTypes } from '../oci/media-types.ts';

/** A manifest and its config as bytes. */
export interface FilesetImage {
  readonly digest: Digest;
  readonly manifest: Buffer;
  readonly config: Buffer;
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
