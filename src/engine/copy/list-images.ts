import type { Descriptor } from '../../oci/descriptor.ts';
import { type IndexManifest, manifestLimits } from '../../oci/manifest.ts';
import { formatPlatform, type Platform, toPlatform } from '../../oci/platform.ts';
import type { CallOptions } from '../../oci/ports.ts';
import { type ChildSearch, isNamed, isSilent, readChild, readChildPlatform } from './read-child.ts';

/** An image below an index. */
export interface IndexedImage {
  readonly descriptor: Descriptor;
  /** As its descriptor names it, or else its configuration; undefined where neither does. */
  readonly platform?: Platform | undefined;
}

/**
 * The images below an index, attestations left out: at each level first the children that name their platform, then those
 * of nested indexes and those whose configuration names it, in the order of the index. Only children that do not name
 * their platform are read; of these, the ones that the source does not have are left out.
 *
 * @throws SVC-REG-007 beyond the limits of manifests, and what reading manifests and configurations throws
 */
export async function listImages(
  source: ChildSearch['source'],
  index: IndexManifest,
  options: CallOptions & { readonly reference: string },
): Promise<readonly IndexedImage[]> {
  const search: ChildSearch = { ...options, source, left: manifestLimits.children };
  const walk = async ({ manifests }: IndexManifest, depth: number): Promise<readonly IndexedImage[]> => {
    const images: IndexedImage[] = manifests
      .filter(isNamed)
      .map((descriptor) => ({ descriptor, platform: toPlatform(descriptor.platform!) }));
    if (depth > manifestLimits.nesting) return images;
    for (const descriptor of manifests.filter(isSilent)) {
      const read = await readChild(search, descriptor);
      if (read === undefined) continue;
      if (read.manifest.kind === 'index') images.push(...(await walk(read.manifest, depth + 1)));
      else images.push({ descriptor, platform: await readChildPlatform(search, read.manifest) });
    }
    return images;
  };
  return walk(index, 0);
}

/** The names of the platforms that images are for, each once. */
export function namePlatforms(images: readonly IndexedImage[]): readonly string[] {
  const named = images.flatMap(({ platform }) => (platform ? [formatPlatform(platform)] : []));
  return [...new Set(named)];
}
