import { constants } from 'node:fs';
import { type FileHandle, realpath, rename, unlink } from 'node:fs/promises';
import { posix } from 'node:path';
import { Serial } from '../base/concurrency.ts';
import { type GuardedFolder, openGuardedFolder } from './guarded-folder.ts';
import { isAbsent } from './is-absent.ts';
import { toWriteError } from './write-error.ts';

interface RotatingFileOptions {
  /** Folder that the path may not leave, not even through a link. */
  readonly root: string;
  /** Relative to the root, with `/`. Missing folders are created. */
  readonly path: string;
  /** Bytes of one file. */
  readonly maxSize: number;
  /** Called when the root is open, and before anything is made in it: throws when it is another folder by now. */
  readonly check?: (() => Promise<void>) | undefined;
  /** Number of old files kept beside it, as `<name>.1` (the newest) and so on. */
  readonly keep: number;
}

/** A log file that is rotated at a size: all files together have at most `maxSize` × (`keep` + 1) bytes. */
interface RotatingFile extends AsyncDisposable {
  /**
   * Appends a text; texts keep their order. A text longer than `maxSize` is cut.
   *
   * @throws SVC-STO-001 when the path is not a regular file; SVC-STO-002, SVC-STO-004, SVC-STO-005
   */
  append(text: string): Promise<void>;
  /** Makes the appended texts durable and closes the file; a later `append` opens it again. */
  close(): Promise<void>;
}

const appending = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT;

/** Creates the rotating file; nothing is opened before the first `append`. */
export function createRotatingFile(options: RotatingFileOptions): RotatingFile {
  const { maxSize, keep } = options;
  const folderPath = posix.dirname(options.path);
  const name = posix.basename(options.path);
  const turns = new Serial();
  let folder: GuardedFolder | undefined;
  let file: FileHandle | undefined;
  let size = 0;

  async function prepare(): Promise<{ folder: GuardedFolder; file: FileHandle }> {
    const { root, check } = options;
    folder ??= await openGuardedFolder(await realpath(root), folderPath, { create: true, check });
    if (!file) {
      file = await folder.open(name, appending, 0o644);
      size = (await file.stat()).size;
    }
    return { folder, file };
  }

  async function rotate(place: GuardedFolder): Promise<void> {
    await closeFile();
    const generation = (n: number): string => place.pathOf(n === 0 ? name : `${name}.${n}`);
    // each target is free before the rename: a rename over a file is not atomic on FAT
    await absentOr(unlink(generation(keep)));
    for (let n = keep - 1; n >= 0; n -= 1) await absentOr(rename(generation(n), generation(n + 1)));
    await place.sync();
  }

  async function closeFile(): Promise<void> {
    const open = file;
    file = undefined;
    try {
      await open?.datasync();
    } finally {
      await open?.close();
    }
  }

  async function close(): Promise<void> {
    try {
      await closeFile();
    } finally {
      const open = folder;
      folder = undefined;
      await open?.close();
    }
  }

  return {
    append: (text) =>
      turns.run(async () => {
        const bytes = cut(Buffer.from(text), maxSize);
        try {
          let open = await prepare();
          if (size > 0 && size + bytes.length > maxSize) {
            await rotate(open.folder);
            open = await prepare();
          }
          await open.file.appendFile(bytes);
          size += bytes.length;
        } catch (error) {
          // the next append inspects the file again
          await close().catch(() => undefined);
          throw toWriteError(error, posix.join(options.root, options.path), { size: bytes.length });
        }
      }),
    close: () => turns.run(close),
    [Symbol.asyncDispose]: () => turns.run(close),
  };
}

/** Cuts a text that is too long, and keeps the end of its line. */
function cut(bytes: Buffer, maxSize: number): Buffer {
  if (bytes.length <= maxSize) return bytes;
  const kept = Buffer.from(bytes.subarray(0, maxSize));
  if (bytes.at(-1) === 0x0a) kept[maxSize - 1] = 0x0a;
  return kept;
}

async function absentOr(work: Promise<void>): Promise<void> {
  await work.catch((error) => {
    if (!isAbsent(error)) throw error;
  });
}
