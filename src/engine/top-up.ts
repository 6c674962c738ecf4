import type { Digest } from '../base/digest.ts';
import { formatPlatform, type Platform, toPlatform } from '../oci/platform.ts';
import type { CallOptions, Prober, Source } from '../oci/ports.ts';
import { selectChildren } from '../oci/select-children.ts';
import { readManifest } from './read-manifest.ts';

/**
 * The platforms of an index that are not carried when only these are asked for, by name; none for a single image.
 *
 * @param reference names the root in errors
 */
export async function listAbsentPlatforms(
  source: Source,
  root: Digest,
  platforms: readonly Platform[],
  reference: string,
  call: CallOptions,
): Promise<string[]> {
  const { manifest } = await readManifest(source, { mediaType: '', digest: root, size: 0 }, reference, call);
  if (manifest.kind === 'image') return [];
  const carried = new Set(selectChildren(manifest, platforms).children.map(({ digest }) => digest));
  const missing = manifest.manifests.flatMap((child) =>
    child.platform && child.platform.os !== 'unknown' && !carried.has(child.digest)
      ? [formatPlatform(toPlatform(child.platform))]
      : [],
  );
  return [...new Set(missing)];
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
