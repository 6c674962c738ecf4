import type { Readable } from 'node:stream';
import type { RateLimiter } from '../../base/link/rate-limiter.ts';
import { verifiedChunks } from '../../base/stream/verified.ts';
import { lentChunks } from '../../disk/file-stream.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import type { PushOptions } from '../../oci/ports.ts';
import { paceChunk } from '../transport/pace-upload.ts';

/** The bytes of an upload. Each chunk is hashed before it is yielded. */
export interface Outgoing extends AsyncIterable<Buffer> {
  /** Whether all bytes were verified and yielded. */
  readonly isWhole: boolean;
  /** The error of the source or its verification; undefined when there was none. */
  readonly fault: unknown;
}

/**
 * Creates the byte stream of an upload. The source is opened when reading starts, and closed when reading
 * stops early.
 *
 * @param open opens the source, which must have the bytes of the descriptor
 * @param reference names the blob in errors
 * @param onBytes called with the number of bytes of each chunk
 * @param pace.limiter counts the bytes, and holds them back under a cap
 */
export function createOutgoing(
  blob: Descriptor,
  open: () => Readable | Promise<Readable>,
  reference: string,
  onBytes: PushOptions['onBytes'],
  pace: { readonly limiter?: RateLimiter | undefined; readonly signal?: AbortSignal | undefined } = {},
): Outgoing {
  const { limiter, signal } = pace;
  let isWhole = blob.size === 0;
  let fault: unknown;
  async function* read(): AsyncGenerator<Buffer, void, undefined> {
    let passed = 0;
    try {
      const { digest, size } = blob;
      for await (const chunk of verifiedChunks(lentChunks(await open()), { digest, size, reference })) {
        passed += chunk.length;
        onBytes?.(chunk.length);
        if (limiter !== undefined && limiter.rate > 0) {
          yield* paceChunk(chunk, limiter, { signal });
          isWhole = passed === size;
        } else {
          limiter?.take(chunk.length, 'sent');
          isWhole = passed === size;
          yield chunk;
        }
      }
    } catch (error) {
      fault = error;
      throw error;
    }
  }
  return {
    [Symbol.asyncIterator]: read,
    get isWhole() {
      return isWhole;
    },
    get fault() {
      return fault;
    },
  };
}

/** Reads all bytes into memory. @param size in bytes @throws SVC-SIG-002, errors of the source */
export async function readWhole(from: Outgoing, size: number): Promise<Buffer> {
  const whole = Buffer.allocUnsafe(size);
  let filled = 0;
  for await (const chunk of from) filled += chunk.copy(whole, filled);
  return whole;
}
