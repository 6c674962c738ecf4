import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, rmdir, unlink } from 'node:fs/promises';
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
  /** Lists the names in this folder. @throws SVC-STO-001, SVC-STO-014 with its path */
  list(): Promise<readonly string[]>;
  /** Makes the names in the folder durable. @throws SVC-STO-002 */
  sync(): Promise<void>;
  /** Opens a folder of this one, through no link. It is made, durably, where it is missing. @throws as `openGuardedFolder` */
  folder(name: string, mode?: number): Promise<GuardedFolder>;
  /**
   * Removes a file, or a folder with all that is below it, without following a link. A name that is absent is none.
   *
   * @throws SVC-STO-002 with its path
   */
  remove(name: string): Promise<void>;
  /** @throws SVC-STO-001 when this folder is no longer where its path says */
  requireInPlace(): void;
  close(): Promise<void>;
}

/**
 * Opens a folder below a root without following links.
 *
 * @param root real path of the root
 * @param path relative to the root, with `/`; '' is the root itself
 * @param options `create` makes missing folders, durably; `check` is called when the root is open, before the first one: a
 *   root that is another one after this is not written into
 * @throws SVC-STO-001 when the folder is absent or the path contains a link; SVC-STO-002, SVC-STO-004 when it cannot be
 *   created
 */
export async function openGuardedFolder(
  root: string,
  path: string,
  options: {
    readonly create?: boolean;
    readonly mode?: number;
    readonly check?: (() => Promise<void>) | undefined;
  } = {},
): Promise<GuardedFolder> {
  const names = path.split('/').filter((name) => name !== '');
  if (names.includes('..'))
    throw svcError('SVC-STO-001', { path, detail: rule(['leads out of the root', fr`sort de la racine`]) });
  if (!options.create) return openOne(join(root, ...names), join(root, ...names));
  let folder = await openOne(root, root);
  await options.check?.().catch(async (error: unknown) => {
    await folder.close();
    throw error;
  });
  for (const name of names) {
    const parent = folder;
    try {
      folder = await parent.folder(name, options.mode);
    } finally {
      await parent.close();
    }
  }
  return folder;
}

/** Removes a file or a link. @returns false for a folder */
async function removeFile(path: string): Promise<boolean> {
  try {
    await unlink(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EISDIR') return false;
    // POSIX lets a system say this of a folder
    if ((error as NodeJS.ErrnoException).code === 'EPERM' && (await lstat(path)).isDirectory()) return false;
    if (!isAbsent(error)) throw error;
  }
  return true;
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
  const sync = async (): Promise<void> => {
    try {
      await handle.sync();
    } catch (error) {
      if (!isSyncUnsupported(error)) throw toWriteError(error, path);
    }
  };
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
    async list() {
      try {
        return await readdir(pathOf('.'));
      } catch (error) {
        throw toReadError(error, path);
      }
    },
    sync,
    async folder(name, mode) {
      const [through, full] = [pathOf(name), join(path, name)];
      try {
        return await openOne(through, full);
      } catch (error) {
        if (!isAbsent(error)) throw error;
        await makeFolder(through, full, mode);
        await sync();
        return openOne(through, full);
      }
    },
    async remove(name) {
      const full = join(path, name);
      try {
        if (await removeFile(pathOf(name))) return;
      } catch (error) {
        throw toWriteError(error, full);
      }
      const below = await openOne(pathOf(name), full);
      try {
        for (const one of await below.list()) await below.remove(one);
      } finally {
        await below.close();
      }
      try {
        await rmdir(pathOf(name));
      } catch (error) {
        if (!isAbsent(error)) throw toWriteError(error, full);
      }
    },
    requireInPlace: () => requirePlace(handle, path),
  };
}
