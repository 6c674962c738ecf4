import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { joinPieces } from '../../base/json/json-pieces.ts';
import { mapInTurns } from '../../base/pacer.ts';
import { evidenceLimits } from '../../contract/evidence.ts';
import { openPlain } from '../../disk/plain-file.ts';
import { toReadError } from '../../disk/read-error.ts';
import { removeLeftovers } from '../../disk/remove-leftovers.ts';
import { syncFolder } from '../../disk/sync-folder.ts';
import { inspectVolume } from '../../disk/volume.ts';
import { toSpaceError, toWriteError } from '../../disk/write-error.ts';
import { svcError } from '../../text/error.ts';
import { hashPackFile } from './hash-file.ts';
import { toLongFile, toTooLarge } from './too-large.ts';

/** Name of the file with the SHA-256 of all others, as `sha256sum` writes and reads it. */
export const sumsName = 'SHA256SUMS';

const blockSize = 1 << 20;

/** A new folder, which has its name only when it is whole. Paths in it have `/`. */
export interface PackFolder extends AsyncDisposable {
  /** Its path until it is finished. */
  readonly root: string;
  /** Writes a file. @throws SVC-CUS-004 for too much in all, SVC-STO-002, SVC-STO-004, SVC-STO-005 */
  put(path: string, bytes: Buffer): Promise<void>;
  /** Writes a text of pieces, which are made in slices. @throws as `put`; SVC-CUS-004 for a text that a check would not read */
  putText(path: string, pieces: Iterable<string>): Promise<void>;
  /** Copies the beginning of a file of this machine. @param size bytes @throws as `put`; SVC-STO-001, SVC-STO-014 */
  copy(path: string, from: string, size: number): Promise<void>;
  /** Removes the last bytes of a file. @throws as `put` */
  cut(path: string, bytes: number): Promise<void>;
  /** Removes a file, and its folder with the last one. @throws as `put` */
  remove(path: string): Promise<void>;
  /** Writes the sums of all files. @returns the names of all files, with that of the sums, in their order; @throws as `put` */
  seal(): Promise<readonly string[]>;
  /** Seals the folder, makes everything durable, and gives it its name. @throws as `put`; SVC-FIL-006 */
  finish(): Promise<void>;
}

/**
 * Opens a new folder beside its later name, and removes what a killed writer of this name left.
 *
 * @param path its later name; nothing may have it
 * @throws SVC-FIL-006, SVC-STO-002, SVC-STO-004
 */
export async function openPackFolder(path: string): Promise<PackFolder> {
  const requireFree = (): void => {
    if (existsSync(path)) throw svcError('SVC-FIL-006', { path, kept: 'yes' });
  };
  requireFree();
  await removeLeftovers(path);
  const root = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  const files = new Set<string>();
  let written = 0;
  let isFinished = false;

  const guard = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw toWriteError(error, path, { place: 'named' });
    }
  };
  const requireRoom = async (size: number): Promise<void> => {
    written += size;
    if (written > evidenceLimits.bytes || files.size >= evidenceLimits.files)
      throw toTooLarge('files', 'bytes');
    if (size < blockSize) return;
    const { freeBytes } = await inspectVolume(root);
    if (freeBytes < size) throw toSpaceError(path, size, freeBytes, 'named');
  };
  const write = (name: string, size: number, fill: (file: FileHandle) => Promise<void>): Promise<void> =>
    guard(async () => {
      await requireRoom(size);
      const target = join(root, name);
      await mkdir(dirname(target), { recursive: true });
      await using file = await open(target, 'wx');
      files.add(name);
      await fill(file);
      await file.sync();
    });
  const seal = async (): Promise<readonly string[]> => {
    const names = [...files].sort();
    const lines: string[] = [];
    for (const name of names) lines.push(`${await hashPackFile(join(root, name))}  ${name}\n`);
    const sums = Buffer.from(lines.join(''));
    await write(sumsName, sums.length, (file) => file.writeFile(sums));
    return [...files].sort();
  };
  await guard(() => mkdir(root));

  return {
    root,
    put: (name, bytes) => write(name, bytes.length, (file) => file.writeFile(bytes)),
    putText: async (name, pieces) => {
      let size = 0;
      const blocks = await mapInTurns(joinPieces(pieces), (piece) => {
        const block = Buffer.from(piece);
        size += block.length;
        if (size > evidenceLimits.document) throw toLongFile(name);
        return block;
      });
      await write(name, size, async (file) => {
        for (const one of blocks) await file.writeFile(one);
      });
    },
    copy: async (name, from, size) => {
      await using source = await openPlain(from).catch((error: unknown) => {
        throw toReadError(error, from);
      });
      await write(name, size, async (file) => {
        const block = Buffer.allocUnsafe(blockSize);
        for (let at = 0; at < size; ) {
          const { bytesRead } = await source.read(block, 0, Math.min(blockSize, size - at), at);
          if (bytesRead === 0) break;
          await file.writeFile(block.subarray(0, bytesRead));
          at += bytesRead;
        }
      });
    },
    cut: (name, bytes) =>
      guard(async () => {
        const target = join(root, name);
        await using file = await open(target, 'r+');
        const { size } = await file.stat();
        await file.truncate(size - bytes);
        await file.sync();
      }),
    remove: (name) =>
      guard(async () => {
        files.delete(name);
        await rm(join(root, name));
        const parent = dirname(name);
        if (parent !== '.' && (await readdir(join(root, parent))).length === 0)
          await rmdir(join(root, parent));
      }),
    seal,
    finish: async () => {
      const names = await seal();
      requireFree();
      await guard(async () => {
        const folders = new Set(['.']);
        for (const name of names) for (let at = dirname(name); at !== '.'; at = dirname(at)) folders.add(at);
        for (const folder of folders) await syncFolder(join(root, folder));
        await rename(root, path);
        await syncFolder(dirname(path));
      });
      isFinished = true;
    },
    [Symbol.asyncDispose]: async () => {
      if (!isFinished) await rm(root, { recursive: true, force: true });
    },
  };
}
