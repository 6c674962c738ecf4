import { svcError } from '../../base/error.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import { type IndexManifest, manifestLimits } from '../../oci/manifest.ts';
import { formatPlatform, isSamePlatform, type Platform, toPlatform } from '../../oci/platform.ts';
import type { CallOptions } from '../../oci/ports.ts';
import { attestedChild, selectChildren } from '../../oci/select-children.ts';
import { type ChildSearch, isNamed, namesNoPlatform, readChild, readChildPlatform } from './read-child.ts';

/** A child of an index that must be carried. */
export interface ChosenChild {
  readonly descriptor: Descriptor;
  /** Platforms to carry of a nested index; empty: all. */
  readonly platforms: readonly Platform[];
}

interface ChooseOptions extends CallOptions {
  /** Names the root in errors. */
  readonly reference: string;
  /** Platforms to carry; empty: all. */
  readonly platforms: readonly Platform[];
}

interface Choice {
  readonly children: readonly ChosenChild[];
  /** Requested platforms that no image below the index has. */
  readonly missing: readonly Platform[];
}

/** State of one search: the platforms seen so far. */
interface Search extends ChildSearch {
  readonly available: Set<string>;
}

/** Those of `platforms` that a child has whose descriptor names none. */
async function findIn(
  search: Search,
  child: Descriptor,
  platforms: readonly Platform[],
  depth: number,
): Promise<readonly Platform[]> {
  const read = await readChild(search, child);
  if (read === undefined) return [];
  const { manifest } = read;
  if (manifest.kind === 'index') {
    const { missing } = await choose(search, manifest, platforms, depth + 1);
    return platforms.filter((platform) => !missing.includes(platform));
  }
  const own = await readChildPlatform(search, manifest);
  if (own === undefined) return [];
  search.available.add(formatPlatform(own));
  return platforms.filter((platform) => isSamePlatform(platform, own));
}

async function choose(
  search: Search,
  index: IndexManifest,
  platforms: readonly Platform[],
  depth: number,
): Promise<Choice> {
  const named = selectChildren(index, platforms);
  const children: ChosenChild[] = named.children.map((descriptor) => ({ descriptor, platforms: [] }));
  for (const child of index.manifests)
    if (isNamed(child)) search.available.add(formatPlatform(toPlatform(child.platform!)));
  let { missing } = named;
  if (missing.length === 0 || depth > manifestLimits.nesting) return { children, missing };
  const unnamed = index.manifests.filter(namesNoPlatform);
  const isNear = ({ digest }: Descriptor): boolean => search.source.isNear?.(digest) ?? true;
  // children that are available locally are read first: they cost no request
  for (const child of [...unnamed.filter(isNear), ...unnamed.filter((one) => !isNear(one))]) {
    if (missing.length === 0) break;
    const found = await findIn(search, child, missing, depth);
    if (found.length === 0) continue;
    children.push({ descriptor: child, platforms: found });
    missing = missing.filter((platform) => !found.includes(platform));
    for (const attestation of index.manifests)
      if (attestedChild(attestation) === child.digest)
        children.push({ descriptor: attestation, platforms: [] });
  }
  return { children, missing };
}

/**
 * Chooses the children of an index that must be carried: all without `platforms`, else the images of these
 * platforms and their attestations. A platform that no child names is searched in nested indexes and in the
 * configurations of images whose descriptor names none.
 *
 * @throws SVC-REG-008 for a platform that no image below the index has; errors of reading manifests and
 *   configurations
 */
export async function chooseChildren(
  source: ChildSearch['source'],
  index: IndexManifest,
  options: ChooseOptions,
): Promise<readonly ChosenChild[]> {
  const { platforms, reference } = options;
  const search: Search = { ...options, source, available: new Set(), left: manifestLimits.children };
  const { children, missing } = await choose(search, index, platforms, 0);
  if (missing.length > 0)
    throw svcError('SVC-REG-008', {
      reference,
      platforms: missing.map(formatPlatform),
      available: [...search.available],
    });
  return children;
}
