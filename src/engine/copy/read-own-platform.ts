import { parseJson } from '../../base/json/parse-json.ts';
import { type ImageManifest, manifestLimits } from '../../oci/manifest.ts';
import { type Platform, toPlatform } from '../../oci/platform.ts';
import type { BlobFetcher, CallOptions } from '../../oci/ports.ts';
import { readBlob } from './read-blob.ts';

/**
 * The platform that the configuration of an image names; undefined where it names none.
 *
 * @param reference names the image in errors
 * @throws SVC-SIG-002, errors of the source
 */
export async function readOwnPlatform(
  source: BlobFetcher,
  manifest: ImageManifest,
  reference: string,
  options?: CallOptions,
): Promise<Platform | undefined> {
  if (manifest.config.size > manifestLimits.bytes) return undefined;
  const bytes = await readBlob(source, manifest.config, reference, options);
  try {
    const config: unknown = parseJson(bytes);
    if (typeof config !== 'object' || config === null) return undefined;
    const { os, architecture, variant } = config as Record<string, unknown>;
    if (typeof os !== 'string' || typeof architecture !== 'string') return undefined;
    if (os === '' || architecture === '') return undefined;
    return toPlatform({ os, architecture, ...(typeof variant === 'string' ? { variant } : {}) });
  } catch {
    return undefined;
  }
}
