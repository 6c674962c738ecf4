import { link, open, rename, unlink } from 'node:fs/promises';

/** Error codes of `link(2)` on a filesystem without links. */
const linkless: ReadonlySet<string | undefined> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/**
 * Gives a finished file its name unless the name exists: a reader of the name sees the whole file. On a filesystem
 * without links (FAT, exFAT) an empty file takes the name first, and the finished file is renamed over that.
 *
 * @param temporary its name until now, in the same folder
 * @returns false when the name exists; both files are then untouched
 * @throws the operating system's error; the name is then not taken
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
