import type { FileHandle } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';
import { type Disposal, disposeOf } from '../base/release-memory.ts';
import { writeAll } from './write-all.ts';

/**
 * Bytes of one write, and bytes that may wait for the next. For larger ones the kernel looks for large pages, which are
 * seldom among those in its caches: two to five times the processor time.
 */
const batchBytes = 256 << 10;

interface Waiting {
  readonly chunk: Buffer;
  readonly disposable: Disposal;
}

/** Writes chunks into an open file, in their order, while their producer goes on. */
export interface WriteBehind {
  /** Where the file has been written up to. */
  readonly written: number;
  /**
   * Takes a chunk; resolves when more are welcome. Calls may overlap.
   *
   * @param disposable what becomes of the chunk when it is written; `true` when nobody else uses it
   * @throws what a write has failed with; nothing is written after that
   */
  write(chunk: Buffer, disposable?: Disposal): Promise<void>;
  /** Waits until everything taken is written. @throws what a write has failed with */
  settle(): Promise<void>;
  /** Goes on from another position, once settled. */
  restart(position: number): void;
}

/**
 * Begins at a position of a file that the caller opened and closes. What arrives while a write is under way makes up
 * the next one, so nothing stays in memory when bytes stop coming.
 *
 * @param onWritten called after each write
 */
export function createWriteBehind(
  file: FileHandle,
  position: number,
  onWritten: () => void = () => {},
): WriteBehind {
  const waiting: Waiting[] = [];
  let waitingBytes = 0;
  let written = position;
  let failure: { readonly error: unknown } | undefined;
  let draining: Promise<void> | undefined;

  const drain = async (): Promise<void> => {
    try {
      // what this turn of the event loop brings besides goes into the same write
      await turn();
      while (waiting.length > 0) {
        const batch = takeBatch(waiting);
        const chunks = batch.map(({ chunk }) => chunk);
        const bytes = chunks.reduce((sum, { length }) => sum + length, 0);
        waitingBytes -= bytes;
        await writeAll(file, chunks, written);
        written += bytes;
        for (const { chunk, disposable } of batch) disposeOf(chunk, disposable);
        onWritten();
      }
    } catch (error) {
      failure = { error };
    } finally {
      draining = undefined;
    }
  };
  const requireUnbroken = (): void => {
    if (failure) throw failure.error;
  };

  return {
    get written() {
      return written;
    },
    async write(chunk, disposable = false) {
      requireUnbroken();
      waiting.push({ chunk, disposable });
      waitingBytes += chunk.length;
      draining ??= drain();
      while (waitingBytes >= batchBytes && draining !== undefined) await draining;
      requireUnbroken();
    },
    async settle() {
      await draining;
      requireUnbroken();
    },
    restart: (next) => {
      written = next;
    },
  };
}

/** Takes the chunks of one write away, at least one. */
function takeBatch(waiting: Waiting[]): Waiting[] {
  let count = 0;
  for (let bytes = 0; count < waiting.length && bytes < batchBytes; count += 1)
    bytes += waiting[count]!.chunk.length;
  return waiting.splice(0, count);
}
