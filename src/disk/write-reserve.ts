import { randomBytes } from 'node:crypto';
import { constants, type FileHandle, lstat, open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from './sync-folder.ts';
import { writeAll } from './write-all.ts';
import { toWriteError } from './write-error.ts';

const toReserve = (path: string): string => `${path}.reserve`;

/**
 * Keeps an allocated file beside a file that must be replaceable even on a full volume. Without room the reserve is left
 * out, and the next call tries again.
 *
 * @param size maximum bytes of the next version
 */
export async function keepReserve(path: string, size: number): Promise<void> {
  const reserve = toReserve(path);
  const found = await lstat(reserve).catch(() => undefined);
  if (found?.isFile() && found.size >= size) return;
  let file: FileHandle | undefined;
  try {
    await unlink(reserve).catch(() => undefined);
    file = await open(reserve, 'wx', 0o600);
    // random: a filesystem that compresses or detects zeros would allocate nothing
    await writeAll(file, [randomBytes(size)], 0);
    await file.sync();
  } catch {
    await unlink(reserve).catch(() => undefined);
  } finally {
    await file?.close();
  }
}

/**
 * Replaces a file as `writeFileAtomic` does, but in the blocks that {@link keepReserve} allocated, so that it needs no
 * free space. Uses the reserve up.
 *
 * @throws SVC-STO-004 without a reserve that is large enough; SVC-STO-002. The file is then unchanged
 */
export async function writeIntoReserve(path: string, data: Uint8Array): Promise<void> {
  const reserve = toReserve(path);
  try {
    const file = await open(reserve, constants.O_RDWR | constants.O_NOFOLLOW);
    try {
      await writeAll(file, [data], 0);
      await file.truncate(data.length);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(reserve, path);
    await syncFolder(dirname(path));
  } catch (error) {
    throw toWriteError(error, path, { size: data.length });
  }
}
