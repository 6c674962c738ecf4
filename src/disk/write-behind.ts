import type { FileHandle } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';
import { type Disposal, disposeOf } from '../base/release-memory.ts';
import { writeAll } from './write-all.ts';

/**
 * Bytes of one write, and bytes that may wait for the next. For larger writes the kernel looks for large pages, which its
 * caches seldom have: two to five times the processor time.
 */
const batchBytes = 256 << 10;

interface Waiting {
  readonly chunk: Buffer;
  readonly disposable: Disposal;
}

/** Writes chunks to an open file in their order while their producer continues. */
interface WriteBehind {
  /** Offset up to which the file has been written. */
  readonly written: number;
  /**
   * Accepts a chunk; resolves when the next one may be written. Calls may overlap.
   *
   * @param disposable treatment of the chunk when it is written; `true` when nothing else uses it
   * @throws the error of a failed write; nothing is written after that
   */
  write(chunk: Buffer, disposable?: Disposal): Promise<void>;
  /** Waits until every accepted byte is written. @throws the error of a failed write */
  settle(): Promise<void>;
  /** Continues from another position, once settled. */
  restart(position: number): void;
}

/**
 * Starts at a position of a file that the caller opened and closes. Chunks that arrive during a write form the next one,
 * so none stays in memory when no more arrive.
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
      // chunks that arrive in the same turn of the event loop share the write
      await turn();
      while (waiting.length > 0) {
        const batch = takeBatch(waiting);
        const chunks = batch.map(({ chunk }) => chunk);
        const bytes = chunks.reduce((sum, { length }) => sum + length, 0);
        waitingBytes -= bytes;
        let at = written;
        for (const part of toWrites(chunks)) {
          await writeAll(file, part, at);
          at += part.reduce((sum, { length }) => sum + length, 0);
        }
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

/** Removes the chunks of one write from the waiting ones, at least one. */
function takeBatch(waiting: Waiting[]): Waiting[] {
  let count = 0;
  for (let bytes = 0; count < waiting.length && bytes < batchBytes; count += 1)
    bytes += waiting[count]!.chunk.length;
  return waiting.splice(0, count);
}

/** Divides a chunk that is larger than one write; several chunks are one write. */
function* toWrites(chunks: readonly Buffer[]): Generator<readonly Buffer[]> {
  const [chunk] = chunks;
  if (chunk === undefined || chunks.length > 1) yield chunks;
  else for (let at = 0; at < chunk.length; at += batchBytes) yield [chunk.subarray(at, at + batchBytes)];
}
