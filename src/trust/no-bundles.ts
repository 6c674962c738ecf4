import type { Digest } from '../base/digest.ts';
import { effectiveArtifactType, type Manifest } from '../oci/manifest.ts';
import { isBundleType } from '../oci/media-types.ts';

/** Most digests that are remembered. */
const limit = 10_000;
const known = new Set<Digest>();

/** Whether a manifest is, or contains, a Sigstore bundle. Its own type decides, and that of its only layer. */
export function isBundleManifest(manifest: Manifest): boolean {
  if (isBundleType(effectiveArtifactType(manifest))) return true;
  const [layer, more] = manifest.kind === 'image' ? manifest.layers : [];
  return more === undefined && isBundleType(layer?.mediaType);
}

/**
 * Remembers the digest of a manifest that is no bundle, so that it is not requested in every run. It follows from the
 * bytes alone, and is the same for every subject and source.
 *
 * @param digest that of the bytes of the manifest
 */
export function rememberNoBundle(digest: Digest): void {
  if (known.size >= limit) known.clear();
  known.add(digest);
}

/** Whether the manifest was read, and is no bundle. */
export const isNoBundle = (digest: Digest): boolean => known.has(digest);
