import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { isSvcError, svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';
import { textParam } from '../text/text-param.ts';
import { openRegular, requirePlace } from './guarded-open.ts';
import { isAbsent } from './is-absent.ts';
import { toReadError } from './read-error.ts';
import { isSyncUnsupported } from './sync-folder.ts';
import { toWriteError } from './write-error.ts';

/**
 * A folder below an untrusted root, reached through no link and held open. Files are created, renamed and removed in
 * exactly this folder, even if its name points elsewhere meanwhile.
 */
export interface GuardedFolder extends AsyncDisposable {
  /** Path for messages. */
  readonly path: string;
  /** Returns a path to a name in this folder that goes through the open folder. Valid until the folder is closed. */
  pathOf(name: string): string;
  /**
   * Opens a regular file of this folder, or creates it with O_CREAT.
   *
   * @throws SVC-STO-001, or the error of a write when the flags request one; `isAbsent` tells whether it is missing
   */
  open(name: string, flags: number, mode?: number): Promise<FileHandle>;
  /** Makes the names in the folder durable. @throws SVC-STO-002 */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a folder below a root without following links.
 *
 * @param root real path of the root
 * @param path relative to the root, with `/`; '' is the root itself
 * @param options `create` makes missing folders, durably
 * @throws SVC-STO-001 when the folder is absent or the path contains a link; SVC-STO-002, SVC-STO-004 when it cannot be
 *   created
 */
export async function openGuardedFolder(
  root: string,
  path: string,
  options: { readonly create?: boolean; readonly mode?: number } = {},
): Promise<GuardedFolder> {
  const names = path.split('/').filter((name) => name !== '');
  if (names.includes('..'))
    throw svcError('SVC-STO-001', { path, detail: rule(['leads out of the root', fr`sort de la racine`]) });
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
    // the kernel reports a link or a file under this name with the same error as a missing folder
    const found = isAbsent(cause) ? await lstat(through).catch(() => undefined) : undefined;
    // another process that started at the same time has created it meanwhile
    if (found?.isDirectory() && !again) return openOne(through, path, true);
    if (found) throw svcError('SVC-STO-001', { path, detail: rule(['not a folder', fr`pas un dossier`]) });
    throw toReadError(cause, path);
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
        throw toReadError(cause, full, isSvcError(error) ? textParam(error, 'detail') : undefined);
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
