import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';
import { liesAt } from './place/lies-at.ts';
import { toReadError } from './read-error.ts';
import { notRegular } from './special-file.ts';

interface OpenFile {
  readonly file: FileHandle;
  readonly size: number;
}

/**
 * Opens a regular file below an untrusted root. No link is followed, neither in the name nor in a folder above, and a
 * pipe or device never blocks the caller.
 *
 * @param root real path of the root (`realpath` it once)
 * @param path relative to the root, with `/`
 * @param flags of `open(2)`, without O_CREAT (see `openGuardedFolder`); default O_RDONLY
 * @throws SVC-STO-001; `isAbsent` tells whether the file is missing
 */
export async function openGuarded(
  root: string,
  path: string,
  flags: number = constants.O_RDONLY,
): Promise<FileHandle> {
  return (await openGuardedFile(root, path, flags)).file;
}

/** As `openGuarded`; also returns the size of the file when it was opened, in bytes. */
export async function openGuardedFile(
  root: string,
  path: string,
  flags: number = constants.O_RDONLY,
): Promise<OpenFile> {
  const full = join(root, path);
  const opened = await openRegularFile(full, flags);
  const { file } = opened;
  try {
    requirePlace(file, full, isReading(flags));
    return opened;
  } catch (error) {
    await file.close();
    throw error;
  }
}

function isReading(flags: number): boolean {
  return (flags & (constants.O_WRONLY | constants.O_RDWR)) === 0;
}

/** Opens a regular file without following a link in its last name. @throws SVC-STO-001 */
export async function openRegular(path: string, flags: number, mode?: number): Promise<FileHandle> {
  return (await openRegularFile(path, flags, mode)).file;
}

async function openRegularFile(path: string, flags: number, mode?: number): Promise<OpenFile> {
  let file: FileHandle;
  try {
    file = await open(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, mode);
  } catch (cause) {
    throw toReadError(cause, path);
  }
  try {
    const found = await file.stat();
    if (!found.isFile()) throw svcError('SVC-STO-001', { path, detail: notRegular });
    // writing would also change the file under its other name
    if (!isReading(flags) && found.nlink > 1)
      throw svcError('SVC-STO-001', {
        path,
        detail: rule(['it has more than one hard link', fr`il a plus d’un lien physique`]),
      });
    return { file, size: found.size };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * Checks that an open file or folder is where its name says.
 *
 * @param mayBeGone accepts a file whose name was removed after it was opened: a reader still gets all bytes
 * @throws SVC-STO-001 when the name led through a link
 */
export function requirePlace(file: FileHandle, path: string, mayBeGone = false): void {
  try {
    if (liesAt(file.fd, path)) return;
    // proc(5) shows a removed file in this way; no other file of a folder that is still open can have this path
    if (mayBeGone && liesAt(file.fd, `${path} (deleted)`)) return;
  } catch (cause) {
    throw toReadError(cause, path);
  }
  throw svcError('SVC-STO-001', {
    path,
    detail: rule(['reached through a symbolic link', fr`atteint par un lien symbolique`]),
  });
}
