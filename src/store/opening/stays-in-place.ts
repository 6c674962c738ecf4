import { type Stats, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { svcError } from '../../base/error.ts';
import { isAbsent } from '../../disk/is-absent.ts';
import { toReadError } from '../../disk/read-error.ts';
import { isSameNode } from '../../disk/same-node.ts';

/** Filesystems whose kernel answers for an open folder from memory: a trip to a thread takes ten times as long. */
const answeredFromMemory: ReadonlySet<string> = new Set(['btrfs', 'ext4', 'f2fs', 'tmpfs', 'xfs']);

/**
 * Remembers the folder of a store, and makes the check that it is still in its place. What is written into a folder that
 * was renamed, replaced or unmounted is not in the store that the next process opens.
 *
 * @param root real path
 * @param filesystem type of its filesystem
 * @returns a function that throws SVC-STO-014 when the folder is absent or another one is in its place; overlapping calls
 *   share one look, since no call is followed by its write at once
 * @throws the operating system's error when the folder is absent
 */
export async function createPlaceCheck(root: string, filesystem: string): Promise<() => Promise<void>> {
  const opened = await stat(root);
  const refuse = (error: unknown): never => {
    throw isAbsent(error)
      ? svcError('SVC-STO-014', { path: root, detail: 'it was there before and is absent now' })
      : toReadError(error, root);
  };
  const judge = (found: Stats): void => {
    if (!isSameNode(opened, found, root))
      throw svcError('SVC-STO-014', { path: root, detail: 'another folder is in its place' });
  };
  if (answeredFromMemory.has(filesystem))
    return async () => {
      let found: Stats;
      try {
        found = statSync(root);
      } catch (error) {
        return refuse(error);
      }
      judge(found);
    };
  let running: Promise<void> | undefined;
  const look = async (): Promise<void> => judge(await stat(root).catch(refuse));
  return () => {
    running ??= look().finally(() => {
      running = undefined;
    });
    return running;
  };
}
