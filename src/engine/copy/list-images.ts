import type { Digest } from '../../base/digest.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import { type IndexManifest, manifestLimits } from '../../oci/manifest.ts';
import { formatPlatform, type Platform, toPlatform } from '../../oci/platform.ts';
import type { CallOptions } from '../../oci/ports.ts';
import {
  type ChildSearch,
  GraphMemory,
  isNamed,
  namesNoPlatform,
  readChild,
  refuseMore,
  takeTurn,
} from './read-child.ts';

/** An image below an index. */
export interface IndexedImage {
  readonly descriptor: Descriptor;
  /** From the descriptor, else from the configuration; undefined where neither names it. */
  readonly platform?: Platform | undefined;
}

interface ListOptions extends CallOptions {
  /** Names the root in errors. */
  readonly reference: string;
  /** Results of earlier walks through the same artifact. */
  readonly memory?: GraphMemory;
  readonly describe?: ChildSearch['describe'];
  /** Treatment of an artifact beyond the limits of manifests: `refuse` it (default), or leave out the rest. */
  readonly beyond?: 'refuse' | 'leave-out';
}

/**
 * Lists the images below an index without attestations, each digest once for each platform. At each level, children
 * whose descriptor names a platform come first. Those of nested indexes and those whose configuration names it follow,
 * in the order of the index. Only children without a named platform are read, each once; of these, the ones that the
 * source does not have are left out.
 *
 * @throws SVC-REG-009 beyond the limits of manifests; errors of reading manifests and configurations; the reason of the
 *   signal
 */
export async function listImages(
  source: ChildSearch['source'],
  index: IndexManifest,
  { memory = new GraphMemory(), beyond = 'refuse', ...options }: ListOptions,
): Promise<readonly IndexedImage[]> {
  const search: ChildSearch = { ...options, source, memory, left: manifestLimits.children };
  const images = new Map<string, IndexedImage>();
  /** The least depth at which each manifest was visited: from a lesser depth, the search reaches further below. */
  const seen = new Map<Digest, number>();
  const isFull = (): boolean => images.size >= manifestLimits.children || search.left === 0;
  const add = (descriptor: Descriptor, platform: Platform | undefined): void => {
    const key = `${descriptor.digest} ${platform ? formatPlatform(platform) : ''}`;
    if (!images.has(key)) images.set(key, { descriptor, platform });
    if (images.size > manifestLimits.children && beyond === 'refuse') refuseMore(options.reference);
  };
  const walk = async (nested: IndexManifest, depth: number): Promise<void> => {
    for (const descriptor of nested.manifests) {
      if (memory.pacer.isDue()) await takeTurn(memory, options.signal);
      if (!isNamed(descriptor)) continue;
      if (beyond === 'leave-out' && isFull()) return;
      add(descriptor, toPlatform(descriptor.platform!));
    }
    if (depth > manifestLimits.nesting) return;
    for (const descriptor of nested.manifests) {
      if (!namesNoPlatform(descriptor) || (seen.get(descriptor.digest) ?? depth + 1) <= depth) continue;
      if (beyond === 'leave-out' && isFull()) return;
      seen.set(descriptor.digest, depth);
      const read = await readChild(search, descriptor);
      if (read === undefined) continue;
      if (read.index) await walk(read.index, depth + 1);
      else add(descriptor, read.platform);
    }
  };
  await takeTurn(memory, options.signal);
  await walk(index, 0);
  return [...images.values()];
}

/** Names of the platforms of images, each once. */
export function namePlatforms(images: readonly IndexedImage[]): readonly string[] {
  const named = images.flatMap(({ platform }) => (platform ? [formatPlatform(platform)] : []));
  return [...new Set(named)];
}
