import type { Digest } from '../../src/base/digest.ts';
import type { ManifestContent } from '../../src/oci/ports.ts';
import { isDamage } from '../../src/store/blobs/judge-blob.ts';
import { readStoredManifest } from '../../src/store/read-stored-manifest.ts';
import type { RegistryCall } from './registry-call.ts';

/**
 * The bytes of a manifest. On a store that is not ours a file that is gone or is not what it was is told to the gate,
 * which withdraws whatever reaches it, and counts as absent.
 */
export async function readUnaltered(
  { store, gate }: Pick<RegistryCall, 'store' | 'gate'>,
  digest: Digest,
): Promise<ManifestContent | undefined> {
  try {
    const content = await readStoredManifest(store, digest);
    if (content === undefined && gate.rehash) gate.onAltered(digest);
    return content;
  } catch (error) {
    const isAltered = isDamage(error);
    if (!gate.rehash || !isAltered) throw error;
    gate.onAltered(digest);
    return undefined;
  }
}
