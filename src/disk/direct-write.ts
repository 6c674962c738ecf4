import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { type Disposal, disposeOf } from '../base/release-memory.ts';
import { directAlignment } from './aligned-memory.ts';
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
  /** Says where the first byte goes, before it is written: a multiple of `directAlignment`. */
  startAt(position: number): void;
  /**
   * Takes a chunk; resolves when more are welcome. Calls may overlap.
   *
   * @param disposable what becomes of the chunk, at once; `true` when nobody else uses it
   * @throws what a write has failed with; nothing is written after that
   */
  write(chunk: Buffer, disposable?: Disposal): Promise<void>;
  /** Writes what is left and ends. @throws what a write has failed with */
  finish(): Promise<void>;
  /** Ends without what is left. Never fails. */
  abort(): Promise<void>;
}

/**
 * For a file that the caller opened, syncs and closes. A large one then neither pays for pages of the kernel's cache,
 * which cost more processor time than its checksum, nor drives from there what others read.
 *
 * @param path of the same file
 * @returns undefined where enough files are written this way already, or the filesystem cannot
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
  let failure: { readonly error: unknown } | undefined;

  const fail = (error: unknown): void => {
    failure ??= { error };
    for (const { reject } of waiting.splice(0)) reject(failure.error);
  };
  const send = (full: Buffer): void => {
    const work: Promise<void> = writeBlock(direct, file, full, next)
      .catch(fail)
      .finally(() => {
        blocks.give(full);
        underWay.delete(work);
        pump();
      });
    next += full.length;
    underWay.add(work);
  };
  const pump = (): void => {
    while (waiting.length > 0) {
      block ??= blocks.take();
      if (block === undefined) return;
      const item = waiting[0]!;
      const copied = item.chunk.copy(block, filled, item.copied);
      filled += copied;
      item.copied += copied;
      if (item.copied === item.chunk.length) {
        waiting.shift();
        disposeOf(item.chunk, item.disposable);
        item.resolve();
      }
      if (filled === block.length) {
        send(block);
        block = undefined;
        filled = 0;
      }
    }
  };
  const written = async (): Promise<void> => {
    while (underWay.size > 0) await Promise.all(underWay);
  };
  const end = async (): Promise<void> => {
    await direct.close().catch(() => {});
    if (block !== undefined) blocks.give(block);
    blocks.end();
  };

  return {
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
      await written();
      try {
        if (failure) throw failure.error;
        if (block !== undefined) await writeBlock(direct, file, block.subarray(0, filled), next);
      } finally {
        await end();
      }
    },
    async abort() {
      fail(new Error('the file has been given up'));
      await written();
      await end();
    },
  };
}

/** What the filesystem does not take directly, and what does not fill a block, goes through the cache, where a full disk says so. */
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
