import { constants } from 'node:fs';
import { chown, type FileHandle, realpath, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Serial } from '../base/concurrency.ts';
import { type GuardedFolder, openGuardedFolder } from '../disk/guarded-folder.ts';
import { isAbsent } from '../disk/is-absent.ts';
import { toWriteError } from '../disk/write-error.ts';
import type { LineFile } from './line-queue.ts';

/** Folder of the kept audit records, below that of the state. */
export const auditFolder = 'audit';
/** Files among which the kept bytes are divided: the oldest is removed as a whole. */
const files = 16;
/** Most bytes of one record, with its line feed. */
export const longestRecord = 64 << 10;

const appending = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT;
const lineFeed = 0x0a;

const toName = (number: number): string => `${String(number).padStart(8, '0')}.jsonl`;

/** Path of one of the files. @param root folder of the state */
export const toAuditPath = (root: string, number: number): string => join(root, auditFolder, toName(number));

const toPath = (folder: GuardedFolder, number: number): string => folder.pathOf(toName(number));

/**
 * Lists the numbers of the files in a folder of audit records, newest first.
 *
 * @throws SVC-STO-001, SVC-STO-014
 */
export async function listAuditFiles(folder: GuardedFolder): Promise<readonly number[]> {
  const names = await folder.list();
  const numbers = names.flatMap((name) =>
    /^\d{8,15}\.jsonl$/.test(name) ? [Number.parseInt(name, 10)] : [],
  );
  return numbers.sort((a, b) => b - a);
}

/** Opens one of the files to read it. @throws SVC-STO-001; `isAbsent` tells whether it was removed */
export function openAuditFile(folder: GuardedFolder, number: number): Promise<FileHandle> {
  return folder.open(toName(number), constants.O_RDONLY);
}

/**
 * Creates the files of kept audit records: `audit/<number>.jsonl`, of which the highest number is the newest. Several
 * processes append at the same time. Names never change, so that a position in a file stays valid until the file is
 * removed.
 *
 * @param options `root` is the folder of the state, which is never created; `keep` bounds the bytes of all files, at
 *   least 1 MiB
 */
export function createAuditFiles(options: { readonly root: string; readonly keep: number }): LineFile {
  const fileSize = Math.floor(options.keep / files);
  const turns = new Serial();
  let folder: GuardedFolder | undefined;
  let file: FileHandle | undefined;
  let number = 0;
  /** Size of the file after the last append of this process. */
  let sizeAfter = 0;

  /** Opens the newest file, or the one with this number. */
  async function open(wanted?: number): Promise<FileHandle> {
    const root = await realpath(options.root);
    const { uid, gid } = await stat(root);
    // a file of root would lock out the instance, which runs as the owner of the state
    const owns = process.geteuid?.() !== 0;
    if (folder === undefined) {
      folder = await openGuardedFolder(root, auditFolder, { create: true, mode: 0o700 });
      if (!owns) await chown(folder.pathOf('.'), uid, gid);
    }
    number = wanted ?? (await listAuditFiles(folder))[0] ?? 1;
    file = await folder.open(toName(number), appending, 0o600);
    if (!owns) await file.chown(uid, gid);
    sizeAfter = -1;
    return file;
  }

  /** Begins the next file, unless another process has. Removes the oldest files beyond the kept bytes. */
  async function begin(place: GuardedFolder): Promise<FileHandle> {
    await closeFile();
    const numbers = await listAuditFiles(place);
    const newest = numbers[0] ?? 0;
    if (newest > number) return open(newest);
    const opened = await open(number + 1);
    let bytes = fileSize;
    for (const old of numbers) {
      bytes += await absentOr(
        stat(toPath(place, old)).then(({ size }) => size),
        0,
      );
      if (bytes > options.keep) await absentOr(unlink(toPath(place, old)), undefined);
    }
    return opened;
  }

  async function closeFile(): Promise<void> {
    const opened = file;
    file = undefined;
    try {
      await opened?.datasync();
    } finally {
      await opened?.close();
    }
  }

  async function close(): Promise<void> {
    try {
      await closeFile();
    } finally {
      const opened = folder;
      folder = undefined;
      await opened?.close();
    }
  }

  async function append(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    let opened = file ?? (await open());
    let info = await opened.stat();
    // the file of a process that rested may be full, or removed
    while (info.nlink === 0 || (info.size > 0 && info.size + bytes.length > fileSize)) {
      opened = await begin(folder!);
      info = await opened.stat();
    }
    const { size } = info;
    const isTorn = size > 0 && size !== sizeAfter && (await readLast(opened, size)) !== lineFeed;
    await opened.appendFile(isTorn ? Buffer.concat([Buffer.of(lineFeed), bytes]) : bytes);
    sizeAfter = size + bytes.length + (isTorn ? 1 : 0);
  }

  return {
    append: (text) =>
      turns.run(async () => {
        try {
          await append(text);
        } catch (error) {
          // the next append inspects the folder again
          await close().catch(() => undefined);
          throw toWriteError(error, join(options.root, auditFolder), { place: 'state' });
        }
      }),
    close: () => turns.run(close),
  };
}

/**
 * The last byte of a file: another one than a line feed ends a line that a process wrote only in part. If another process
 * is still writing it, the line feed of this one makes an empty line.
 */
async function readLast(file: FileHandle, size: number): Promise<number | undefined> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return bytesRead === 0 ? undefined : buffer[0];
}

async function absentOr<T>(work: Promise<T>, absent: T): Promise<T> {
  return work.catch((error) => {
    if (!isAbsent(error)) throw error;
    return absent;
  });
}
