import type { Digest } from '../../base/digest.ts';
import type { StoreIndex } from '../../catalog/model.ts';

/** Digests of a manifest and of all it reaches, each once, itself first, also those not in the index. */
export function listBelow(root: Digest, index: Pick<StoreIndex, 'manifest'>): readonly Digest[] {
  const found = new Set([root]);
  // iteration over a set includes entries added during the iteration
  for (const digest of found) for (const child of index.manifest(digest)?.manifests ?? []) found.add(child);
  return [...found];
}
