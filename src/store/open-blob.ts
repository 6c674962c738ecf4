import type { FileHandle } from 'node:fs/promises';
import type { Digest } from '../base/digest.ts';
import { svcError } from '../base/error.ts';
import { blobPath } from '../oci/layout.ts';
import type { Store } from './model.ts';
import { vouchSoon } from './vouch.ts';

/**
 * Opens a whole blob or manifest, without following a link; the caller closes it. In a store of our own one that nobody
 * has vouched for is hashed first. Who reads a foreign store hashes what it takes: its maker may change a file at any
 * time.
 *
 * @returns the open file and its size in bytes
 * @throws SVC-STO-001 when it is not there, or not a regular file of the right size; SVC-STO-014
 */
export async function openBlob(
  store: Pick<Store, 'core' | 'standing'>,
  digest: Digest,
): Promise<{ readonly file: FileHandle; readonly size: number }> {
  const { core } = store;
  const content = core.graph.get(digest);
  if (content === undefined)
    throw svcError('SVC-STO-001', { path: blobPath(digest), detail: 'not in the store' });
  if (store.standing === 'ours' && !content.sound) {
    await core.files.requireWhole(content);
    vouchSoon(store);
  }
  return core.files.open(content);
}
