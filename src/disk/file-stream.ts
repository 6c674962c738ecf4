import type { FileHandle } from 'node:fs/promises';
import { addAbortSignal, Readable } from 'node:stream';
import { releaseMemory } from '../base/release-memory.ts';
import { chunksOf } from '../base/stream/chunks-of.ts';
import { markDisposable } from '../base/stream/disposable-chunks.ts';

/** Bytes of one read. Measured: a smaller value costs more calls, a larger one only memory. */
const pieceBytes = 512 << 10;
/** Bytes of one read of lent chunks. Three of them wait for the network in each upload: a larger value costs memory only. */
const lentBytes = 256 << 10;
/** Bytes of the read where the end of the file is expected. */
const leastBytes = 4096;

/**
 * Reads an open file from its beginning and closes it. Each chunk has its own memory, unless the reader uses
 * `lentChunks`, which fills the same buffers again and again.
 */
export class FileStream extends Readable {
  readonly #file: FileHandle;
  readonly #size: number;
  #position = 0;
  #reading: Promise<unknown> = Promise.resolve();

  /** @param size expected bytes; a file of another size is still read to its end */
  constructor(file: FileHandle, size: number, signal?: AbortSignal) {
    super({ highWaterMark: pieceBytes });
    this.#file = file;
    this.#size = size;
    markDisposable(this);
    // an error before the stream has a reader is kept in `errored` for the reader, and does not end the process
    this.on('error', () => {});
    // not a constructor option: an aborted signal would destroy the stream before `#file` is set
    if (signal) addAbortSignal(signal, this);
  }

  override _read(): void {
    this.#fill(this.#allocate()).then(
      (chunk) => this.push(chunk.length === 0 ? null : chunk),
      (error: Error) => this.destroy(error),
    );
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    // a descriptor closed during a read may already belong to another file
    this.#reading
      .then(() => this.#file.close())
      .then(
        () => done(error),
        (closing: Error) => done(error ?? closing),
      );
  }

  /** Yields the rest of the file, reading one chunk ahead. A chunk is valid until the second next one is requested. */
  async *lend(): AsyncGenerator<Buffer, void, undefined> {
    const buffers: Buffer[] = [];
    const readAhead = (turn: number): Promise<Buffer> => {
      buffers[turn % 3] ??= this.#allocate(lentBytes);
      const chunk = this.#fill(buffers[turn % 3]!);
      chunk.catch(() => {});
      return chunk;
    };
    try {
      let next = readAhead(0);
      for (let turn = 1; ; turn += 1) {
        const chunk = await next;
        if (chunk.length === 0) {
          // the last chunk can be in use; the memory of the others would wait for the garbage collector
          for (const used of [turn - 1, turn]) if (buffers[used % 3]) releaseMemory(buffers[used % 3]!);
          return;
        }
        next = readAhead(turn);
        yield chunk;
      }
    } finally {
      this.destroy();
    }
  }

  #allocate(most: number = pieceBytes): Buffer {
    return Buffer.allocUnsafeSlow(Math.min(most, Math.max(leastBytes, this.#size - this.#position)));
  }

  /** Fills the buffer; returns less only at the end of the file. */
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
 * Returns the chunks of a stream for a reader that has finished with each before it requests the second next one. The
 * chunks of a file then share the same memory in turn. Otherwise, a stream of large chunks keeps the garbage collector
 * busy for longer than reading and hashing take. A reader that stops early destroys the stream.
 *
 * @throws the error of the stream
 */
export function lentChunks(from: Readable): AsyncGenerator<Buffer, void, undefined> {
  return from instanceof FileStream ? from.lend() : chunksOf(from);
}
