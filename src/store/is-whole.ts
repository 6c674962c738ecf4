import type { Digest } from '../base/digest.ts';
import type { Store } from './model.ts';
import { vouchSoon } from './vouch.ts';

/**
 * Whether a blob or manifest is present and its bytes match its digest. A blob that is not vouched for is
 * hashed once; otherwise the answer comes from memory.
 *
 * @throws SVC-STO-001, SVC-STO-014 when it cannot be read for a reason outside the file
 */
export async function isWhole(store: Pick<Store, 'core'>, digest: Digest): Promise<boolean> {
  const { files, graph } = store.core;
  const content = graph.get(digest);
  if (content === undefined || !(await files.isWhole(content))) return false;
  vouchSoon(store);
  return true;
}
