import type { Digest } from '../../base/digest.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import { type IndexManifest, manifestLimits } from '../../oci/manifest.ts';
import { formatPlatform, isSamePlatform, type Platform } from '../../oci/platform.ts';
import type { CallOptions } from '../../oci/ports.ts';
import { listAttestations, namedPlatforms, selectChildren } from '../../oci/select-children.ts';
import { svcError } from '../../text/error.ts';
import { type ChildSearch, GraphMemory, namesNoPlatform, readChild, takeTurn } from './read-child.ts';

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
  /** Results of earlier walks through the same artifact. */
  readonly memory?: GraphMemory;
}

interface Choice {
  readonly children: readonly ChosenChild[];
  /** Requested platforms that no image below the index has. */
  readonly missing: readonly Platform[];
}

/** Platforms found in a child. */
interface Finding {
  readonly asked: ReadonlySet<string>;
  readonly found: readonly Platform[];
  readonly depth: number;
}

/** State of one search. */
interface Search extends ChildSearch {
  /** Indexes that were looked through, whose descriptors name platforms. */
  readonly indexes: Set<IndexManifest>;
  /** Platforms in the configurations of images. */
  readonly available: Set<string>;
  /** By digest. A child that several indexes name, or one names several times, is looked through once. */
  readonly findings: Map<Digest, Finding>;
}

/** Those of `platforms` that a child has whose descriptor names none. */
async function findIn(
  search: Search,
  child: Descriptor,
  platforms: readonly Platform[],
  depth: number,
): Promise<readonly Platform[]> {
  const known = search.findings.get(child.digest);
  if (known && known.depth <= depth && platforms.every((each) => known.asked.has(formatPlatform(each))))
    return known.found.filter((one) => platforms.some((each) => isSamePlatform(one, each)));
  const found = await lookInto(search, child, platforms, depth);
  search.findings.set(child.digest, { asked: new Set(platforms.map(formatPlatform)), found, depth });
  return found;
}

async function lookInto(
  search: Search,
  child: Descriptor,
  platforms: readonly Platform[],
  depth: number,
): Promise<readonly Platform[]> {
  const read = await readChild(search, child);
  if (read === undefined) return [];
  if (read.index) {
    const { missing } = await choose(search, read.index, platforms, depth + 1);
    const left = new Set(missing);
    return platforms.filter((platform) => !left.has(platform));
  }
  const own = read.platform;
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
  search.indexes.add(index);
  let { missing } = named;
  if (missing.length === 0 || depth > manifestLimits.nesting) return { children, missing };
  const unnamed = index.manifests.filter(namesNoPlatform);
  const isNear = ({ digest }: Descriptor): boolean => search.source.isNear?.(digest) ?? true;
  // children that are available locally are read first: they cost no request
  for (const child of [...unnamed.filter(isNear), ...unnamed.filter((one) => !isNear(one))]) {
    if (missing.length === 0) break;
    await takeTurn(search.memory, search.signal);
    const found = await findIn(search, child, missing, depth);
    if (found.length === 0) continue;
    children.push({ descriptor: child, platforms: found });
    const here = new Set(found);
    missing = missing.filter((platform) => !here.has(platform));
    for (const descriptor of listAttestations(index, child.digest))
      children.push({ descriptor, platforms: [] });
  }
  return { children, missing };
}

/** Names of all platforms that a search has come across. */
function listAvailable({ indexes, available }: Search): readonly string[] {
  const names = new Set<string>();
  for (const index of indexes) for (const name of namedPlatforms(index)) names.add(name);
  for (const name of available) names.add(name);
  return [...names];
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
  const { platforms, reference, memory = new GraphMemory() } = options;
  const search: Search = {
    ...options,
    source,
    memory,
    indexes: new Set(),
    available: new Set(),
    findings: new Map(),
    left: manifestLimits.children,
  };
  const { children, missing } = await choose(search, index, platforms, 0);
  if (missing.length > 0)
    throw svcError('SVC-REG-008', {
      reference,
      platforms: missing.map(formatPlatform),
      available: listAvailable(search),
    });
  return children;
}
