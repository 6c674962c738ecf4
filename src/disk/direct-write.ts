import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { type Disposal, disposeOf } from '../base/release-memory.ts';
import { directAlignment, isSharedAligned } from './aligned-memory.ts';
import { leaseBlocks } from './block-pool.ts';
import { writeAll } from './write-all.ts';

interface Waiting {
  readonly chunk: Buffer;
  readonly disposable: Disposal;
  copied: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Appends to an open file past the kernel's page cache. */
export interface DirectWrite {
  /** Accepted bytes that are in the file. */
  readonly written: number;
  /** Sets the position of the first byte, before anything is written: a multiple of `directAlignment`. */
  startAt(position: number): void;
  /**
   * Accepts a chunk; resolves when the next one may be written. Calls may overlap. A lent chunk of shared aligned memory
   * is written from where it is, all others are copied.
   *
   * @param disposable treatment of the chunk after it was copied or written; `true` when nothing else uses it
   * @throws the error of a failed write; nothing is written after that
   */
  write(chunk: Buffer, disposable?: Disposal): Promise<void>;
  /** Writes the rest and ends. @throws the error of a failed write */
  finish(): Promise<void>;
  /** Ends without writing the rest. Never fails. */
  abort(): Promise<void>;
}

/**
 * Opens direct writing to a file that the caller opened, syncs and closes. A large file then costs no pages of the
 * kernel's cache, which take more processor time than its checksum. Nor does it evict the pages of other readers.
 *
 * @param path of the same file
 * @returns undefined when enough files are written in this way already, or the filesystem does not support it
 */
export async function openDirectWrite(path: string, file: FileHandle): Promise<DirectWrite | undefined> {
  const blocks = leaseBlocks();
  if (blocks === undefined) return undefined;
  const flags = constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_DIRECT;
  const direct = await open(path, flags).catch(() => undefined);
  if (direct === undefined) {
    blocks.end();
    return undefined;
  }

  const waiting: Waiting[] = [];
  const underWay = new Set<Promise<void>>();
  let block: Buffer | undefined;
  let filled = 0;
  let next = 0;
  let written = 0;
  let failure: { readonly error: unknown } | undefined;

  const fail = (error: unknown): void => {
    failure ??= { error };
    for (const { reject } of waiting.splice(0)) reject(failure.error);
  };
  const send = (full: Buffer, giveBack: () => void): void => {
    const work: Promise<void> = writeBlock(direct, file, full, next)
      .then(() => {
        written += full.length;
      })
      .catch(fail)
      .finally(() => {
        giveBack();
        underWay.delete(work);
        pump();
      });
    next += full.length;
    underWay.add(work);
  };
  const pump = (): void => {
    while (waiting.length > 0) {
      const item = waiting[0]!;
      const { chunk, disposable } = item;
      // only at the border of a block, and not when the rest of a chunk waits
      if (filled === 0 && item.copied === 0 && typeof disposable === 'function' && isSharedAligned(chunk)) {
        waiting.shift();
        send(chunk, disposable);
        item.resolve();
        continue;
      }
      block ??= blocks.take();
      if (block === undefined) return;
      const full = block;
      const copied = chunk.copy(full, filled, item.copied);
      filled += copied;
      item.copied += copied;
      if (item.copied === chunk.length) {
        waiting.shift();
        disposeOf(chunk, disposable);
        item.resolve();
      }
      if (filled === full.length) {
        send(full, () => blocks.give(full));
        block = undefined;
        filled = 0;
      }
    }
  };
  const settled = async (): Promise<void> => {
    while (underWay.size > 0) await Promise.all(underWay);
  };
  const release = async (): Promise<void> => {
    await direct.close().catch(() => {});
    if (block !== undefined) blocks.give(block);
    blocks.end();
  };
  let ending: Promise<void> | undefined;
  // once: a file that has ended may be given up too, when it proves to be another one than was announced
  const end = (): Promise<void> => {
    ending ??= release();
    return ending;
  };

  return {
    get written() {
      return written;
    },
    startAt: (position) => {
      next = position;
    },
    write(chunk, disposable = false) {
      if (failure) return Promise.reject(failure.error);
      return new Promise((resolve, reject) => {
        waiting.push({ chunk, disposable, copied: 0, resolve, reject });
        pump();
      });
    },
    async finish() {
      await settled();
      try {
        if (failure) throw failure.error;
        if (block !== undefined) await writeBlock(direct, file, block.subarray(0, filled), next);
        written += filled;
      } finally {
        await end();
      }
    },
    async abort() {
      fail(new Error('the file has been given up'));
      await settled();
      await end();
    },
  };
}

/** Writes the aligned part directly and the rest through the cache; a short direct write on a full disk fails there. */
async function writeBlock(
  direct: FileHandle,
  file: FileHandle,
  block: Buffer,
  position: number,
): Promise<void> {
  const aligned = block.length - (block.length % directAlignment);
  const { bytesWritten } =
    aligned === 0
      ? { bytesWritten: 0 }
      : await direct.write(block, 0, aligned, position).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== 'EINVAL') throw error;
          return { bytesWritten: 0 };
        });
  if (bytesWritten < block.length)
    await writeAll(file, [block.subarray(bytesWritten)], position + bytesWritten);
}
