import type { Descriptor } from '../../oci/descriptor.ts';
import { type IndexManifest, manifestLimits } from '../../oci/manifest.ts';
import { formatPlatform, type Platform, toPlatform } from '../../oci/platform.ts';
import type { CallOptions } from '../../oci/ports.ts';
import { type ChildSearch, isNamed, namesNoPlatform, readChild, readChildPlatform } from './read-child.ts';

/** An image below an index. */
export interface IndexedImage {
  readonly descriptor: Descriptor;
  /** From the descriptor, else from the configuration; undefined where neither names it. */
  readonly platform?: Platform | undefined;
}

/**
 * Lists the images below an index without attestations. At each level the children whose descriptor names a
 * platform come first, then those of nested indexes and those whose configuration names it, in the order of
 * the index. Only children without a named platform are read; of these, the ones that the source does not
 * have are left out.
 *
 * @throws SVC-REG-009 beyond the limits of manifests; errors of reading manifests and configurations
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
    for (const descriptor of manifests.filter(namesNoPlatform)) {
      const read = await readChild(search, descriptor);
      if (read === undefined) continue;
      if (read.manifest.kind === 'index') images.push(...(await walk(read.manifest, depth + 1)));
      else images.push({ descriptor, platform: await readChildPlatform(search, read.manifest) });
    }
    return images;
  };
  return walk(index, 0);
}

/** Names of the platforms of images, each once. */
export function namePlatforms(images: readonly IndexedImage[]): readonly string[] {
  const named = images.flatMap(({ platform }) => (platform ? [formatPlatform(platform)] : []));
  return [...new Set(named)];
}
