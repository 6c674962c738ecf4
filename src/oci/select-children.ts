import type { Digest } from '../base/digest.ts';
import type { Descriptor } from './descriptor.ts';
import type { IndexManifest } from './manifest.ts';
import { formatPlatform, type Platform, toPlatform } from './platform.ts';

interface SelectedChildren {
  /** The children to be carried, each digest once, in the order of the index. */
  readonly children: readonly Descriptor[];
  /** Requested platforms that the index does not have. */
  readonly missing: readonly Platform[];
}

/** Children of an index by their criteria of selection. An index may name one child any number of times. */
interface ChildTable {
  /** The first entry of each digest, in the order of the index. */
  readonly unique: readonly Descriptor[];
  /** Digests of the children of a platform, by its name. */
  readonly byPlatform: ReadonlyMap<string, ReadonlySet<Digest>>;
  /** Place in the index, and entry, of a child that is no attestation. */
  readonly places: ReadonlyMap<Digest, readonly [place: number, child: Descriptor]>;
  /** Place and entry of each attestation, by the digest of the child that it is about. */
  readonly attestations: ReadonlyMap<
    string,
    ReadonlyMap<Digest, readonly [place: number, child: Descriptor]>
  >;
}

/** Returns the child that a BuildKit attestation is about; undefined when the descriptor is no attestation. */
export function attestedChild(child: Descriptor): string | undefined {
  return child.annotations?.['vnd.docker.reference.type'] === 'attestation-manifest'
    ? child.annotations['vnd.docker.reference.digest']
    : undefined;
}

/** Each of thousands of platforms of an artifact may be looked up: its index is sorted once. */
const tables = new WeakMap<IndexManifest, ChildTable>();

function tableOf(index: IndexManifest): ChildTable {
  const known = tables.get(index);
  if (known) return known;
  const unique = new Map<Digest, Descriptor>();
  const byPlatform = new Map<string, Set<Digest>>();
  const places = new Map<Digest, readonly [number, Descriptor]>();
  const attestations = new Map<string, Map<Digest, readonly [number, Descriptor]>>();
  for (const [place, child] of index.manifests.entries()) {
    const { digest, platform } = child;
    if (!unique.has(digest)) unique.set(digest, child);
    if (platform) {
      const name = formatPlatform(toPlatform(platform));
      byPlatform.set(name, (byPlatform.get(name) ?? new Set()).add(digest));
    }
    const attested = attestedChild(child);
    if (attested === undefined) {
      if (!places.has(digest)) places.set(digest, [place, child]);
      continue;
    }
    const about = attestations.get(attested) ?? new Map<Digest, readonly [number, Descriptor]>();
    attestations.set(attested, about);
    if (!about.has(digest)) about.set(digest, [place, child]);
  }
  const table = { unique: [...unique.values()], byPlatform, places, attestations };
  tables.set(index, table);
  return table;
}

/** Lists the children of an index, each digest once, in the order of the index. */
export function listChildren(index: IndexManifest): readonly Descriptor[] {
  return tableOf(index).unique;
}

/** Lists the attestations about a child, each digest once. */
export function listAttestations(index: IndexManifest, child: Digest): readonly Descriptor[] {
  return [...(tableOf(index).attestations.get(child)?.values() ?? [])].map(([, attestation]) => attestation);
}

/** Names of the platforms that the descriptors of an index name, each once, without that of attestations. */
export function namedPlatforms(index: IndexManifest): readonly string[] {
  return [...tableOf(index).byPlatform.keys()].filter((name) => !name.startsWith('unknown/'));
}

/**
 * Selects the children of an index: all without `platforms`, otherwise those of the platforms and the attestations about
 * them.
 */
export function selectChildren(index: IndexManifest, platforms: readonly Platform[]): SelectedChildren {
  const { unique, byPlatform, places, attestations } = tableOf(index);
  if (platforms.length === 0) return { children: unique, missing: [] };
  const chosen = new Set<Digest>();
  const missing = platforms.filter((platform) => {
    const matches = byPlatform.get(formatPlatform(platform));
    for (const digest of matches ?? []) chosen.add(digest);
    return matches === undefined;
  });
  const found = new Map<number, Descriptor>();
  for (const digest of chosen) {
    const own = places.get(digest);
    if (own) found.set(...own);
    for (const [place, attestation] of attestations.get(digest)?.values() ?? [])
      found.set(place, attestation);
  }
  const children = [...found].sort(([a], [b]) => a - b).map(([, child]) => child);
  return { children, missing };
}
