import { link, open, rename, unlink } from 'node:fs/promises';

/** How filesystems say that they have no links. */
const linkless: ReadonlySet<string | undefined> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/**
 * Gives a finished file its name where nothing stands: whoever opens that sees all of it. On a filesystem without links
 * (FAT, exFAT) the name is taken first, and what then goes over it is our own empty file.
 *
 * @param temporary its name until now, in the same folder
 * @returns false when something has the name: both are untouched then
 * @throws the operating system's error; the name is not taken then
 */
export async function giveName(temporary: string, path: string): Promise<boolean> {
  try {
    await link(temporary, path);
    await unlink(temporary).catch(() => undefined);
    return true;
  } catch (error) {
    if (isTaken(error)) return false;
    if (!linkless.has((error as NodeJS.ErrnoException).code)) throw error;
  }
  try {
    await (await open(path, 'wx')).close();
  } catch (error) {
    if (isTaken(error)) return false;
    throw error;
  }
  try {
    await rename(temporary, path);
    return true;
  } catch (error) {
    await unlink(path).catch(() => undefined);
    throw error;
  }
}

function isTaken(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EEXIST';
}
