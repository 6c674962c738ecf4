import { stat } from 'node:fs/promises';
import { svcError } from '../../base/error.ts';
import { isAbsent } from '../../disk/is-absent.ts';
import { toReadError } from '../../disk/read-error.ts';
import { isSameNode } from '../../disk/same-node.ts';

/**
 * Remembers the folder of a store, and makes the check that it is still in its place. What is written into a folder that
 * was renamed, replaced or unmounted is not in the store that the next process opens.
 *
 * @param root real path
 * @returns a function that throws SVC-STO-014 when the folder is absent or another one is in its place; overlapping calls
 *   share one look, since no call is followed by its write at once
 * @throws the operating system's error when the folder is absent
 */
export async function createPlaceCheck(root: string): Promise<() => Promise<void>> {
  const opened = await stat(root);
  const check = async (): Promise<void> => {
    const found = await stat(root).catch((error: unknown) => {
      throw isAbsent(error)
        ? svcError('SVC-STO-014', { path: root, detail: 'it was there before and is absent now' })
        : toReadError(error, root);
    });
    if (!isSameNode(opened, found, root))
      throw svcError('SVC-STO-014', { path: root, detail: 'another folder is in its place' });
  };
  let running: Promise<void> | undefined;
  return () => {
    running ??= check().finally(() => {
      running = undefined;
    });
    return running;
  };
}
