import { lstat, unlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { isSvcError, svcError } from '../text/error.ts';
import { textParam } from '../text/text-param.ts';
import { acquireLock, type Lock } from './lock.ts';

/** The right to write to a place: unfinished files there belong to writers that have ended. */
export interface PlaceLock {
  /** Names of its files, in their folder. */
  readonly names: ReadonlySet<string>;
  /** Ends the lock and removes its files; a second call does nothing. */
  release(): Promise<void>;
}

/** Times that a lock is acquired anew because the previous holder removed its file. */
const mostTries = 3;

/**
 * Takes the lock on a place. Without locks on the filesystem, or a regular lock file, there is no lock: of two
 * simultaneous writers, one may fail.
 *
 * @param path of the place, for the error
 * @param lockPath a name in an existing folder
 * @param holder the command, for the error of others
 * @throws SVC-STO-007 while another process writes to the place
 */
export async function lockPlace(path: string, lockPath: string, holder: string): Promise<PlaceLock> {
  const lock = await tryLock(path, lockPath, holder);
  const names = [lockPath, `${lockPath}.holder`];
  let isOver = lock === undefined;
  return {
    names: new Set(lock === undefined ? [] : names.map((name) => basename(name))),
    release: async () => {
      if (isOver) return;
      // a second call would remove the files of the next holder
      isOver = true;
      // first: a file that is open when it is removed stays under another name on FUSE and NFS, and so does its folder
      await lock?.release();
      for (const name of names) await unlink(name).catch(() => {});
    },
  };
}

async function tryLock(path: string, lockPath: string, holder: string): Promise<Lock | undefined> {
  for (let tries = 1; tries <= mostTries; tries += 1) {
    let lock: Lock;
    try {
      lock = await acquireLock(lockPath, 'exclusive', { holder });
    } catch (error) {
      if (isSvcError(error, 'SVC-STO-007'))
        throw svcError('SVC-STO-007', { path, holder: textParam(error, 'holder') });
      await removeEmpty(lockPath);
      return undefined;
    }
    // the holder before removed the file that this lock is on, and another process may lock a new one
    if (await isThere(lockPath)) return lock;
    await lock.release();
  }
  return undefined;
}

/** Removes the file that could not be locked, unless it is something else. */
async function removeEmpty(path: string): Promise<void> {
  try {
    const found = await lstat(path);
    if (found.isFile() && found.size === 0) await unlink(path);
  } catch {
    // it was not made, or it stays and does no harm
  }
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
