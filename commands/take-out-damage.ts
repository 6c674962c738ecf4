import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { type Digest, isDigest } from '../src/base/digest.ts';
import type { Report } from '../src/base/report.ts';
import type { ConfigWith } from '../src/config/requirements.ts';
import { blobPath } from '../src/oci/layout.ts';
import type { Store } from '../src/store/model.ts';
import { openToWrite } from './open-to-write.ts';

/**
 * Moves content that a command found damaged while it read the store to quarantine. Another command may read the same store:
 * the content stays then.
 *
 * @param opened is closed, as the store is opened to write
 * @param by.holder name of the command, shown to other processes that find the store locked
 * @returns whether none of the content is left in its place
 */
export async function takeOutDamage(
  opened: AsyncDisposable & { readonly store: Pick<Store, 'root' | 'standing'> },
  digests: readonly string[],
  {
    config,
    ...by
  }: {
    readonly config: ConfigWith<'storage.root'>;
    readonly report: Report;
    readonly actor: string;
    readonly holder: string;
  },
): Promise<boolean> {
  const { root, standing } = opened.store;
  const isThere = (digest: Digest): boolean =>
    lstatSync(join(root, blobPath(digest)), { throwIfNoEntry: false }) !== undefined;
  const suspects = [...new Set(digests)].filter(isDigest).filter(isThere);
  if (suspects.length === 0) return true;
  if (standing === 'foreign') return false;
  await opened[Symbol.asyncDispose]();
  const { takeOut } = await import('../src/engine/sync/take-out.ts');
  try {
    await using store = await openToWrite(config, by.report, by.holder);
    await takeOut(
      store,
      suspects.map((digest) => ({ digest })),
      by,
    );
  } catch (error) {
    by.report.log('warn', 'damaged content of the store could not be moved to quarantine', { error });
  }
  return !suspects.some(isThere);
}
