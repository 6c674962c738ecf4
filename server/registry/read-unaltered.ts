import type { Digest } from '../../src/base/digest.ts';
import type { ManifestContent } from '../../src/oci/ports.ts';
import { isDamage } from '../../src/store/blobs/judge-blob.ts';
import { readStoredManifest } from '../../src/store/read-stored-manifest.ts';
import { requireOpen } from '../../src/view/require-open.ts';
import type { RegistryCall } from './registry-call.ts';

/**
 * Reads the bytes of a manifest. On a foreign store, a missing or altered file is reported to the gate, which withdraws
 * everything that reaches it. The manifest then counts as absent.
 */
export async function readUnaltered(
  { store, gate }: Pick<RegistryCall, 'store' | 'gate'>,
  digest: Digest,
): Promise<ManifestContent | undefined> {
  try {
    const content = await readStoredManifest(store, digest);
    if (content === undefined && gate.rehash) withdraw(gate, digest);
    return content;
  } catch (error) {
    const isAltered = isDamage(error);
    if (!gate.rehash || !isAltered) throw error;
    withdraw(gate, digest);
    return undefined;
  }
}

/** @throws SVC-MED-033 where the medium was replaced or changed, so that the file proves nothing */
function withdraw(gate: RegistryCall['gate'], digest: Digest): void {
  gate.onAltered(digest);
  if (gate.closeIfChanged?.()) requireOpen({ gate });
}
