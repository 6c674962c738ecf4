import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { syncFolder } from './sync-folder.ts';

/**
 * Makes a folder with its parents, so that it is still there after a power cut: what is made durable in it would be
 * lost with its name.
 *
 * @param mode permissions of what is made, less the umask
 * @throws the operating system's error
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  const made = await makeMissing(resolve(path), mode);
  for (const name of made) await syncName(name);
}

/**
 * Makes what is missing of a path, outermost first. Node's own `recursive` tries for ever where a file system answers
 * `ENOENT` below a folder that exists, as /proc and lost volumes do.
 *
 * @returns the folders that were made
 */
async function makeMissing(path: string, mode: number | undefined): Promise<string[]> {
  const missing: string[] = [];
  let at = path;
  while (!(await isFolder(at))) {
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
      // somebody else was faster
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !(await isFolder(folder))) throw error;
    }
  }
  return made;
}

/** @throws the operating system's error, but for what is not there */
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
    // a parent that may be entered and not read is somebody else's to make durable
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
  }
}
