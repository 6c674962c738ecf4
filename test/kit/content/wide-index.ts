import type { Descriptor } from '../../../src/oci/descriptor.ts';
import { mediaTypes } from '../../../src/oci/media-types.ts';
import type { ManifestContent } from '../../../src/oci/ports.ts';
import { toBlob, toManifest } from './content.ts';

/** A small artifact with a power of entries on its ways: each index names the one below it `width` times. */
export interface WideIndex {
  readonly root: ManifestContent;
  /** Children first, the root last. */
  readonly indexes: readonly ManifestContent[];
  readonly image: ManifestContent;
  readonly config: { readonly descriptor: Descriptor; readonly bytes: Buffer };
}

interface WideOptions {
  /** Number of indexes, one below the other. */
  readonly levels: number;
  /** Number of entries of each. */
  readonly width: number;
  /** Platforms that the entries of the lowest index name. Default: all `linux/amd64`. */
  readonly platforms?: (entry: number) => Descriptor['platform'] | undefined;
}

const amd64 = { os: 'linux', architecture: 'amd64' } as const;

export function buildWideIndex({ levels, width, platforms = () => amd64 }: WideOptions): WideIndex {
  const config = toBlob(JSON.stringify(amd64), mediaTypes.ociConfig);
  const image = toManifest({
    schemaVersion: 2,
    mediaType: mediaTypes.ociManifest,
    config: config.descriptor,
    layers: [],
  });
  const indexes: ManifestContent[] = [];
  for (let level = 0; level < levels; level += 1) {
    const below = indexes.at(-1)?.descriptor;
    const manifests = Array.from({ length: width }, (_, i) => {
      const platform = below ? undefined : platforms(i);
      return { ...(below ?? image.descriptor), ...(platform ? { platform } : {}) };
    });
    indexes.push(toManifest({ schemaVersion: 2, mediaType: mediaTypes.ociIndex, manifests }));
  }
  return { root: indexes.at(-1)!, indexes, image, config };
}
