import type { Digest } from '../base/digest.ts';
import type { Store } from './model.ts';

/** Protects a present blob or manifest from collection for 24 hours. The lease is kept in memory only. */
export function leaseBlob({ core }: Store, digest: Digest): void {
  const content = core.graph.get(digest);
  if (content?.present) core.holds.lease(content);
}
