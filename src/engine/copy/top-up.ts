import type { Digest } from '../../base/digest.ts';
import { formatPlatform, toPlatform } from '../../oci/platform.ts';
import type { CallOptions, Prober, Source } from '../../oci/ports.ts';
import { GraphMemory, takeTurn } from './read-child.ts';
import { readManifest } from './read-manifest.ts';

/**
 * Names of all platforms of an index that the source does not have, requested or not; empty for a single
 * image. A child that names no platform is listed by its digest.
 *
 * @param reference names the root in errors
 */
export async function listAbsentPlatforms(
  source: Source & Pick<Prober, 'hasManifest'>,
  root: Digest,
  reference: string,
  call: CallOptions,
): Promise<string[]> {
  const { manifest } = await readManifest(source, { mediaType: '', digest: root, size: 0 }, reference, call);
  if (manifest.kind === 'image') return [];
  const missing = new Set<string>();
  const here = new Map<Digest, boolean>();
  const memory = new GraphMemory();
  for (const { digest, platform } of manifest.manifests) {
    await takeTurn(memory, call.signal);
    const isHere = here.get(digest) ?? (await source.hasManifest(digest, call));
    here.set(digest, isHere);
    if (isHere) continue;
    // an attestation is carried with its platform
    if (platform?.os === 'unknown') continue;
    missing.add(platform ? formatPlatform(toPlatform(platform)) : digest);
  }
  return [...missing];
}

/** A source that reads local content first and the rest from upstream. */
export function toTopUp(local: Source & Partial<Prober>, upstream: Source): Source {
  return {
    resolve: (reference, call) => local.resolve(reference, call),
    fetchManifest: async (reference, call) =>
      (await local.fetchManifest(reference, call)) ?? upstream.fetchManifest(reference, call),
    fetchBlob: async (blob, call) =>
      (await local.hasBlob?.(blob, call)) ? local.fetchBlob(blob, call) : upstream.fetchBlob(blob, call),
  };
}
