import type { Digest } from '../base/digest.ts';
import type { Descriptor } from './descriptor.ts';
import type { IndexManifest } from './manifest.ts';
import { isSamePlatform, type Platform, toPlatform } from './platform.ts';

export interface SelectedChildren {
  /** The children that must be carried, in the order of the index. */
  readonly children: readonly Descriptor[];
  /** Platforms that were asked for and that the index does not offer. */
  readonly missing: readonly Platform[];
}

/** The child that an attestation of BuildKit's convention speaks of; undefined when it is none. */
function attestedChild(child: Descriptor): string | undefined {
  return child.annotations?.['vnd.docker.reference.type'] === 'attestation-manifest'
    ? child.annotations['vnd.docker.reference.digest']
    : undefined;
}

/**
 * Which children of an index a carrier needs: all without `platforms`, else those of the platforms and the
 * attestations that speak of one of them.
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
