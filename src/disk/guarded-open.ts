import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { svcError } from '../base/error.ts';
import { liesAt } from './lies-at.ts';

export interface OpenFile {
  readonly file: FileHandle;
  readonly size: number;
}

/**
 * Opens a regular file below a root that may hold anything: no link is followed, neither by the name nor by a folder
 * above it, and a pipe or device never makes the caller wait.
 *
 * @param root real path of the root (`realpath` it once)
 * @param path relative to the root, with `/`
 * @param flags of `open(2)`, without O_CREAT (see `openGuardedFolder`); default O_RDONLY
 * @throws SVC-STO-001; `isAbsent` tells whether it is only missing
 */
export async function openGuarded(
  root: string,
  path: string,
  flags: number = constants.O_RDONLY,
): Promise<FileHandle> {
  return (await openGuardedFile(root, path, flags)).file;
}

/** As `openGuarded`, with the size that the file had when it was opened. */
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
    throw svcError('SVC-STO-001', { path }, { cause });
  }
  try {
    const found = await file.stat();
    if (!found.isFile()) throw svcError('SVC-STO-001', { path, detail: 'not a regular file' });
    // a second name would be changed with this one
    if (!isReading(flags) && found.nlink > 1)
      throw svcError('SVC-STO-001', { path, detail: 'it has a second name' });
    return { file, size: found.size };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * Makes sure that an open file or folder lies where its name says.
 *
 * @param mayBeGone its name may have been taken away since it was opened: who only reads has it whole all the same
 * @throws SVC-STO-001 when the name led through a link
 */
export function requirePlace(file: FileHandle, path: string, mayBeGone = false): void {
  try {
    if (liesAt(file.fd, path)) return;
    // proc(5): how the name of a removed file is shown; no other file of a folder that was not left can have it
    if (mayBeGone && liesAt(file.fd, `${path} (deleted)`)) return;
  } catch (cause) {
    throw svcError('SVC-STO-001', { path }, { cause });
  }
  throw svcError('SVC-STO-001', { path, detail: 'reached through a link' });
}
