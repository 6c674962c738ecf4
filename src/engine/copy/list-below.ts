import type { Digest } from '../../base/digest.ts';
import type { StoreIndex } from '../../catalog/model.ts';

/** A manifest and those that it reaches, present or not, as far as the index knows them: itself first, each once. */
export function listBelow(root: Digest, index: Pick<StoreIndex, 'manifest'>): readonly Digest[] {
  const found = new Set([root]);
  // a set gives what is added while it is read
  for (const digest of found) for (const child of index.manifest(digest)?.manifests ?? []) found.add(child);
  return [...found];
}
