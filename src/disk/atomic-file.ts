import { randomBytes } from 'node:crypto';
import { open, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { giveName } from './give-name.ts';
import { removeDurably } from './remove-durably.ts';
import { removeLeftovers } from './remove-leftovers.ts';
import { syncFolder } from './sync-folder.ts';
import { toWriteError } from './write-error.ts';

export { removeDurably } from './remove-durably.ts';
export { syncFolder } from './sync-folder.ts';

interface WriteFileOptions {
  /** Permissions of the new file, less the umask. Default 0o666. */
  readonly mode?: number;
  /** Folder of the temporary file, on the same volume. Default: beside the target. */
  readonly temporaryFolder?: string;
  /** Owner of the file, unless it is the store. */
  readonly place?: 'state' | 'named';
  /** Bytes of a stream. Without them, a volume that the stream filled appears to have room after its removal. */
  readonly size?: number;
}

/**
 * Writes a file atomically: a reader sees the old content or the new, also after a power cut. When this returns, the
 * new content is durable. (A rename over an existing file is not atomic on FAT: there, remove the old file first.)
 *
 * @throws SVC-STO-002, SVC-STO-004, SVC-STO-005; the target is then unchanged, and the temporary file removed
 */
export async function writeFileAtomic(
  path: string,
  data: string | Uint8Array | Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
  options: WriteFileOptions = {},
): Promise<void> {
  const folder = options.temporaryFolder ?? dirname(path);
  const temporary = join(folder, `${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
  const size = typeof data === 'string' || data instanceof Uint8Array ? data.length : options.size;
  try {
    const file = await open(temporary, 'wx', options.mode ?? 0o666);
    try {
      await file.writeFile(data);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw toWriteError(error, path, { size, place: options.place });
  }
  try {
    await syncFolder(dirname(path));
  } catch (error) {
    throw toWriteError(error, path, { size, place: options.place });
  }
}

/** Writes a file of the state as {@link writeFileAtomic} does, readable by its owner only. @throws as it does */
export function writeStateFile(path: string, data: string | Uint8Array): Promise<void> {
  return writeFileAtomic(path, data, { mode: 0o600, place: 'state' });
}

/**
 * Writes a file of the state from a stream, as {@link writeStateFile} does.
 *
 * @param size bytes of the stream
 * @throws as it does, and errors of the stream
 */
export function writeStateStream(path: string, data: AsyncIterable<Uint8Array>, size: number): Promise<void> {
  return writeFileAtomic(path, data, { mode: 0o600, place: 'state', size });
}

/** A file whose content is durable and that only lacks its name. Disposal without a commit removes it. */
interface PreparedFile extends AsyncDisposable {
  /**
   * Gives the file its name, durably: a reader of the name sees the whole file or none.
   *
   * @returns false when the name exists; that file is untouched
   * @throws SVC-STO-002; the name is then free
   */
  commit(): Promise<boolean>;
}

/**
 * Writes a new file beside its later path. Remains of the same file from a killed process are removed first.
 *
 * @param mode permissions, less the umask
 * @throws SVC-STO-002, SVC-STO-004, SVC-STO-005; no file is then left
 */
export async function prepareFile(
  path: string,
  data: string | Uint8Array,
  mode = 0o666,
): Promise<PreparedFile> {
  await removeLeftovers(path);
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  let isNamed = false;
  const dispose = async (): Promise<void> => {
    if (!isNamed) await unlink(temporary).catch(() => undefined);
  };
  try {
    const file = await open(temporary, 'wx', mode);
    try {
      await file.writeFile(data);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    await dispose();
    throw toWriteError(error, path, { size: data.length, place: 'named' });
  }
  return {
    async commit() {
      try {
        isNamed = await giveName(temporary, path);
        if (isNamed) await syncFolder(dirname(path));
        return isNamed;
      } catch (error) {
        if (isNamed) await removeDurably(path).catch(() => undefined);
        throw toWriteError(error, path, { size: data.length, place: 'named' });
      }
    },
    [Symbol.asyncDispose]: dispose,
  };
}

/**
 * Writes a new file, whole or not at all, and never over another one. When this returns true, the file is durable.
 *
 * @param mode permissions, less the umask
 * @returns false when the name exists; the file of that name is unchanged
 * @throws SVC-STO-002, SVC-STO-004, SVC-STO-005; the file then does not exist
 */
export async function writeNewFile(path: string, data: string | Uint8Array, mode: number): Promise<boolean> {
  await using file = await prepareFile(path, data, mode);
  return await file.commit();
}
