import type { FileHandle } from 'node:fs/promises';
import type { Digest } from '../base/digest.ts';
import { blobPath } from '../oci/layout.ts';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';
import type { Store } from './model.ts';
import { vouchSoon } from './vouch.ts';

/**
 * Opens a blob or manifest without following links; the caller closes it. In a store of this instance, a blob that is
 * not vouched, or changed while the store was not in use, is hashed first. Readers of a foreign store must hash all
 * bytes, because its owner may change a file at any time.
 *
 * @returns the open file and its size in bytes
 * @throws SVC-STO-001 when it is absent, or not a regular file of the right size; SVC-STO-014
 */
export async function openBlob(
  store: Pick<Store, 'core' | 'standing'>,
  digest: Digest,
): Promise<{ readonly file: FileHandle; readonly size: number }> {
  const { core } = store;
  const content = core.graph.get(digest);
  if (content === undefined)
    throw svcError('SVC-STO-001', {
      path: blobPath(digest),
      detail: rule(['not in the store', fr`absent du stockage`]),
    });
  if (store.standing === 'ours') {
    await core.files.requireWhole(content);
    vouchSoon(store);
  }
  return core.files.open(content);
}
