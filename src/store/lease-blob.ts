import type { Digest } from '../base/digest.ts';
import type { Store } from './model.ts';

/**
 * Protects a present blob or manifest from collection for 24 hours. The lease is kept in memory only.
 *
 * @param repository where a push may name it for that time, even after the reason of its visibility is gone
 */
export function leaseBlob({ core }: Store, digest: Digest, repository?: string): void {
  const content = core.graph.get(digest);
  if (content?.present) core.holds.lease(content, repository);
}
