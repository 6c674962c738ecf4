import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { isSvcError, svcError } from '../base/error.ts';
import { openRegular, requirePlace } from './guarded-open.ts';
import { isAbsent } from './is-absent.ts';
import { isSyncUnsupported } from './sync-folder.ts';
import { toWriteError } from './write-error.ts';

/**
 * A folder below a root that may hold anything, reached through no link and held open: what is made, renamed or
 * removed through it happens in this very folder, whatever its name points at meanwhile.
 */
export interface GuardedFolder extends AsyncDisposable {
  /** As people know it; for messages. */
  readonly path: string;
  /** A path to a name in this folder that leads through the open folder. Valid until it is closed. */
  pathOf(name: string): string;
  /**
   * Opens a regular file of this folder, or makes it with O_CREAT.
   *
   * @throws SVC-STO-001, or the error of a write when the flags ask for one; `isAbsent` tells whether it is missing
   */
  open(name: string, flags: number, mode?: number): Promise<FileHandle>;
  /** Makes the names in the folder durable. @throws SVC-STO-002 */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param root real path of the root
 * @param path relative to the root, with `/`; '' is the root itself
 * @param options `create` makes missing folders, durably
 * @throws SVC-STO-001 when it is absent or a link is on the way; SVC-STO-002, SVC-STO-004 when it cannot be made
 */
export async function openGuardedFolder(
  root: string,
  path: string,
  options: { readonly create?: boolean; readonly mode?: number } = {},
): Promise<GuardedFolder> {
  const names = path.split('/').filter((name) => name !== '');
  if (names.includes('..')) throw svcError('SVC-STO-001', { path, detail: 'leads out of the root' });
  if (!options.create) return openOne(join(root, ...names), join(root, ...names));
  let folder = await openOne(root, root);
  for (const name of names) {
    const parent = folder;
    try {
      const through = parent.pathOf(name);
      const full = join(parent.path, name);
      try {
        folder = await openOne(through, full);
      } catch (error) {
        if (!isAbsent(error)) throw error;
        await makeFolder(through, full, options.mode);
        await parent.sync();
        folder = await openOne(through, full);
      }
    } finally {
      await parent.close();
    }
  }
  return folder;
}

async function makeFolder(through: string, full: string, mode: number | undefined): Promise<void> {
  try {
    await mkdir(through, mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw toWriteError(error, full);
  }
}

async function openOne(through: string, path: string, again = false): Promise<GuardedFolder> {
  let handle: FileHandle;
  try {
    handle = await open(through, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (cause) {
    // what the kernel says of a link or file that stands there is what it says of a missing one
    const found = isAbsent(cause) ? await lstat(through).catch(() => undefined) : undefined;
    // another process that starts at the same time has made it meanwhile
    if (found?.isDirectory() && !again) return openOne(through, path, true);
    if (found) throw svcError('SVC-STO-001', { path, detail: 'not a folder' });
    throw svcError('SVC-STO-001', { path }, { cause });
  }
  try {
    requirePlace(handle, path);
  } catch (error) {
    await handle.close();
    throw error;
  }
  const pathOf = (name: string): string => `/proc/self/fd/${handle.fd}/${name}`;
  const close = (): Promise<void> => handle.close();
  return {
    path,
    pathOf,
    close,
    [Symbol.asyncDispose]: close,
    async open(name, flags, mode) {
      try {
        return await openRegular(pathOf(name), flags, mode);
      } catch (error) {
        const cause = isSvcError(error) ? error.cause : error;
        const full = join(path, name);
        const writes = (flags & (constants.O_WRONLY | constants.O_RDWR)) !== 0;
        if (writes && cause !== undefined && !isAbsent(cause)) throw toWriteError(cause, full);
        const detail = isSvcError(error) ? error.params.detail : undefined;
        throw svcError('SVC-STO-001', { path: full, detail }, { cause });
      }
    },
    async sync() {
      try {
        await handle.sync();
      } catch (error) {
        if (!isSyncUnsupported(error)) throw toWriteError(error, path);
      }
    },
  };
}
