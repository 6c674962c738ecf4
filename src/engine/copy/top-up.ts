import type { Digest } from '../../base/digest.ts';
import { formatPlatform, toPlatform } from '../../oci/platform.ts';
import type { CallOptions, Prober, Source } from '../../oci/ports.ts';
import { readManifest } from './read-manifest.ts';

/**
 * The platforms of an index that the source does not have, by name, whichever of them were asked for; none for a single
 * image. A child that names no platform is named by its digest.
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
  for (const { digest, platform } of manifest.manifests) {
    if (await source.hasManifest(digest, call)) continue;
    // an attestation travels with the platform that it is about
    if (platform?.os === 'unknown') continue;
    missing.add(platform ? formatPlatform(toPlatform(platform)) : digest);
  }
  return [...missing];
}

/** Local content first, the rest from upstream. */
export function toTopUp(local: Source & Partial<Prober>, upstream: Source): Source {
  return {
    resolve: (reference, call) => local.resolve(reference, call),
    fetchManifest: async (reference, call) =>
      (await local.fetchManifest(reference, call)) ?? upstream.fetchManifest(reference, call),
    fetchBlob: async (blob, call) =>
      (await local.hasBlob?.(blob, call)) ? local.fetchBlob(blob, call) : upstream.fetchBlob(blob, call),
  };
}
