import type { Digest } from '../base/digest.ts';
import { findAffected } from '../catalog/affected.ts';
import type { AffectedContent } from '../contract/store.ts';
import type { Store } from './model.ts';

/** Lists the tags, repositories and recipes that need these digests. Walks the index once for all digests. */
export function listAffected(
  { core }: Store,
  digests: readonly Digest[],
): Promise<ReadonlyMap<Digest, readonly AffectedContent[]>> {
  return findAffected(core.graph, digests);
}
