import type { Digest } from '../base/digest.ts';
import type { Store } from './model.ts';

/** Keeps a blob or manifest that is present from collection for 24 hours, in memory. */
export function leaseBlob({ core }: Store, digest: Digest): void {
  const content = core.graph.get(digest);
  if (content?.present) core.holds.lease(content);
}
