import type { Digest } from '../base/digest.ts';
import type { Descriptor } from './descriptor.ts';
import type { IndexManifest } from './manifest.ts';
import { isSamePlatform, type Platform, toPlatform } from './platform.ts';

interface SelectedChildren {
  /** The children to be carried, in the order of the index. */
  readonly children: readonly Descriptor[];
  /** Requested platforms that the index does not have. */
  readonly missing: readonly Platform[];
}

/** Returns the child that a BuildKit attestation is about; undefined when the descriptor is no attestation. */
export function attestedChild(child: Descriptor): string | undefined {
  return child.annotations?.['vnd.docker.reference.type'] === 'attestation-manifest'
    ? child.annotations['vnd.docker.reference.digest']
    : undefined;
}

/**
 * Selects the children of an index: all without `platforms`, otherwise those of the platforms and the attestations about
 * them.
 */
export function selectChildren(index: IndexManifest, platforms: readonly Platform[]): SelectedChildren {
  if (platforms.length === 0) return { children: index.manifests, missing: [] };
  const chosen = new Set<Digest>();
  const missing = platforms.filter((platform) => {
    const matches = index.manifests.filter(
      (child) => child.platform && isSamePlatform(toPlatform(child.platform), platform),
    );
    for (const child of matches) chosen.add(child.digest);
    return matches.length === 0;
  });
  const children = index.manifests.filter((child) => {
    const attested = attestedChild(child);
    return attested === undefined ? chosen.has(child.digest) : chosen.has(attested as Digest);
  });
  return { children, missing };
}
