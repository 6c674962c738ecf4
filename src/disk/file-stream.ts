import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { chunksOf } from '../base/chunks-of.ts';
import { markDisposable } from '../base/disposable-chunks.ts';

/** Bytes that are read at once: measured, less costs more calls, more only memory. */
const pieceBytes = 512 << 10;
/** Where the end is expected. */
const leastBytes = 4096;

/**
 * Reads an open file from its beginning and closes it. Each chunk has memory of its own, unless the reader asks by
 * `lentChunks` to have the same few filled again and again.
 */
export class FileStream extends Readable {
  readonly #file: FileHandle;
  readonly #size: number;
  #position = 0;
  #reading: Promise<unknown> = Promise.resolve();

  /** @param size bytes that are expected; a file that has others is read to its end all the same */
  constructor(file: FileHandle, size: number, signal?: AbortSignal) {
    super({ highWaterMark: pieceBytes, ...(signal ? { signal } : {}) });
    this.#file = file;
    this.#size = size;
    markDisposable(this);
  }

  override _read(): void {
    this.#fill(this.#allocate()).then(
      (chunk) => this.push(chunk.length === 0 ? null : chunk),
      (error: Error) => this.destroy(error),
    );
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    // a descriptor that is closed under a read may by then be another file's
    this.#reading
      .then(() => this.#file.close())
      .then(
        () => done(error),
        (closing: Error) => done(error ?? closing),
      );
  }

  /** The rest of the file, read ahead by one chunk. A chunk stays as it is until the next but one is asked for. */
  async *lend(): AsyncGenerator<Buffer, void, undefined> {
    const buffers: Buffer[] = [];
    const readAhead = (turn: number): Promise<Buffer> => {
      buffers[turn % 3] ??= this.#allocate();
      const chunk = this.#fill(buffers[turn % 3]!);
      chunk.catch(() => {});
      return chunk;
    };
    try {
      let next = readAhead(0);
      for (let turn = 1; ; turn += 1) {
        const chunk = await next;
        if (chunk.length === 0) return;
        next = readAhead(turn);
        yield chunk;
      }
    } finally {
      this.destroy();
    }
  }

  #allocate(): Buffer {
    return Buffer.allocUnsafeSlow(Math.min(pieceBytes, Math.max(leastBytes, this.#size - this.#position)));
  }

  /** As much as the buffer takes, less only at the end of the file. */
  #fill(buffer: Buffer): Promise<Buffer> {
    const filling = (async () => {
      let filled = 0;
      while (filled < buffer.length) {
        if (this.destroyed) throw this.errored ?? new Error('the reading of a file was given up');
        const { bytesRead } = await this.#file.read(buffer, filled, buffer.length - filled, this.#position);
        if (bytesRead === 0) break;
        filled += bytesRead;
        this.#position += bytesRead;
      }
      return filled === buffer.length ? buffer : buffer.subarray(0, filled);
    })();
    this.#reading = filling.catch(() => {});
    return filling;
  }
}

/**
 * The chunks of a stream for a reader who is done with each before the next but one: those of a file are then read into
 * the same memory in turn. A stream of large chunks otherwise keeps the garbage collector at work, for more time than
 * reading and hashing take. Whoever stops early destroys the stream.
 *
 * @throws what the stream fails with
 */
export function lentChunks(from: Readable): AsyncGenerator<Buffer, void, undefined> {
  return from instanceof FileStream ? from.lend() : chunksOf(from);
}
