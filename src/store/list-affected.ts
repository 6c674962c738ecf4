import type { Digest } from '../base/digest.ts';
import { findAffected } from '../catalog/affected.ts';
import type { AffectedContent } from '../catalog/model.ts';
import type { Store } from './model.ts';

/** The tags, repositories and recipes that do not work without these digests. Costs one walk over the index for all. */
export function listAffected(
  { core }: Store,
  digests: readonly Digest[],
): Promise<ReadonlyMap<Digest, readonly AffectedContent[]>> {
  return findAffected(core.graph, digests);
}
