import { gzipSync, zstdCompressSync } from 'node:zlib';
import { hashBytes } from '../../../src/base/digest.ts';
import type { Descriptor } from '../../../src/oci/descriptor.ts';
import { mediaTypes } from '../../../src/oci/media-types.ts';
import type { ManifestContent } from '../../../src/oci/ports.ts';
import { seededBytes } from './content.ts';
import { toArchive } from './tar-archive.ts';

export type SamplePlatform = 'linux/amd64' | 'linux/arm64' | 'linux/s390x';

export interface SampleImageOptions {
  /** Makes the content: the same seed gives the same digests. */
  readonly seed: string;
  /** One gives a single manifest, several an index. Default: all three. */
  readonly platforms?: readonly SamplePlatform[];
  readonly compression?: 'gzip' | 'zstd';
  /** Bytes of noise in each layer. Default 20 000. */
  readonly layerSize?: number;
}

/** An image as a registry holds it: every blob, every manifest with children first, the root last. */
export interface SampleImage {
  readonly blobs: readonly { readonly descriptor: Descriptor; readonly bytes: Buffer }[];
  readonly manifests: readonly ManifestContent[];
  readonly root: ManifestContent;
}

const describe = (mediaType: string, bytes: Buffer): Descriptor => ({
  mediaType,
  digest: hashBytes(bytes),
  size: bytes.length,
});

/** An OCI image with real layers, of which the first is the same on all platforms. */
export function createSampleImage(options: SampleImageOptions): SampleImage {
  const platforms = options.platforms ?? ['linux/amd64', 'linux/arm64', 'linux/s390x'];
  const compression = options.compression ?? 'gzip';
  const blobs = new Map<string, { descriptor: Descriptor; bytes: Buffer }>();
  const manifests: ManifestContent[] = [];
  const add = (mediaType: string, bytes: Buffer): Descriptor => {
    const descriptor = describe(mediaType, bytes);
    blobs.set(descriptor.digest, { descriptor, bytes });
    return descriptor;
  };
  const addManifest = (document: { mediaType: string } & Record<string, unknown>): Descriptor => {
    const bytes = Buffer.from(JSON.stringify(document));
    const descriptor = describe(document.mediaType, bytes);
    manifests.push({ descriptor, bytes });
    return descriptor;
  };
  const children = platforms.map((platform) => {
    const [os, architecture] = platform.split('/') as [string, string];
    const tars = ['base', platform].map((part) =>
      toArchive({
        [`${part.replace('/', '-')}.bin`]: seededBytes(
          `${options.seed}/${part}`,
          options.layerSize ?? 20_000,
        ),
      }),
    );
    const layers = tars.map((bytes) =>
      add(
        `${mediaTypes.ociLayer}+${compression}`,
        compression === 'gzip' ? gzipSync(bytes, { level: 6 }) : zstdCompressSync(bytes),
      ),
    );
    const config = add(
      mediaTypes.ociConfig,
      Buffer.from(
        JSON.stringify({
          architecture,
          os,
          config: {},
          rootfs: { type: 'layers', diff_ids: tars.map((bytes) => hashBytes(bytes)) },
          history: [],
        }),
      ),
    );
    const manifest = addManifest({ schemaVersion: 2, mediaType: mediaTypes.ociManifest, config, layers });
    return { ...manifest, platform: { os, architecture } };
  });
  if (children.length > 1)
    addManifest({ schemaVersion: 2, mediaType: mediaTypes.ociIndex, manifests: children });
  return { blobs: [...blobs.values()], manifests, root: manifests.at(-1)! };
}
