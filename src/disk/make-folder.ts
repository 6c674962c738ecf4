import { mkdir } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { syncFolder } from './sync-folder.ts';

/**
 * Makes a folder with its parents, so that it is still there after a power cut: what is made durable in it would be
 * lost with its name.
 *
 * @param mode permissions of what is made, less the umask
 * @throws the operating system's error
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  const first = await mkdir(path, { recursive: true, ...(mode === undefined ? {} : { mode }) });
  if (first === undefined) return;
  await syncName(first);
  let at = first;
  for (const name of relative(first, path).split(sep)) {
    if (name === '') continue;
    at = join(at, name);
    await syncName(at);
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
