import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { syncFolder } from './sync-folder.ts';
import { toWriteError } from './write-error.ts';

/**
 * Creates a folder and its parents durably: files that are made durable in a folder would be lost with its name.
 *
 * @param mode permissions of new folders, less the umask
 * @throws the operating system's error
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  for (const name of await makeMissing(resolve(path), mode)) await syncName(name);
}

/**
 * Creates a folder below a root as {@link makeFolder} does. A root that is gone, as that of a disk that was pulled out, is
 * not created again in its absence.
 *
 * @param path relative to the root
 * @throws the operating system's error
 */
export async function makeFolderBelow(root: string, path: string): Promise<void> {
  for (const name of await makeMissing(resolve(root, path), undefined, resolve(root))) await syncName(name);
}

/**
 * Creates a folder of the state and its parents as {@link makeFolder} does, for their owner only.
 *
 * @throws SVC-STO-002, SVC-STO-004
 */
export async function makeStateFolder(path: string): Promise<void> {
  try {
    await makeFolder(path, 0o700);
  } catch (error) {
    throw toWriteError(error, path, { place: 'state' });
  }
}

/**
 * Creates the missing folders of a path, outermost first. Node's own `recursive` never returns when a filesystem answers
 * `ENOENT` below a folder that exists, as /proc and lost volumes do.
 *
 * @param root is never created
 * @returns the folders that were created
 */
async function makeMissing(path: string, mode: number | undefined, root?: string): Promise<string[]> {
  const missing: string[] = [];
  let at = path;
  while (!(await isFolder(at))) {
    if (at === root) await stat(at);
    missing.unshift(at);
    if (dirname(at) === at) break;
    at = dirname(at);
  }
  const made: string[] = [];
  for (const folder of missing) {
    try {
      await mkdir(folder, mode);
      made.push(folder);
    } catch (error) {
      // another process created it first
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !(await isFolder(folder))) throw error;
    }
  }
  return made;
}

/** @throws the operating system's error, except when the path does not exist */
async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** Makes the name of a folder durable in its parent. @throws the operating system's error */
export async function syncName(path: string): Promise<void> {
  try {
    await syncFolder(dirname(path));
  } catch (error) {
    // a parent that this user cannot read is left to its owner to make durable
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
  }
}
