import type { Readable } from 'node:stream';
import { verifiedChunks } from '../../base/stream/verified.ts';
import { lentChunks } from '../../disk/file-stream.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import type { PushOptions } from '../../oci/ports.ts';

/** Bytes on their way out, each chunk hashed before it is handed on. */
export interface Outgoing extends AsyncIterable<Buffer> {
  /** Whether all have been found right and handed on. */
  readonly isWhole: boolean;
  /** What ended it, when that came from the bytes themselves. */
  readonly fault: unknown;
}

/**
 * What a blob is sent as. Nothing is opened before it is read; whoever stops early ends the source.
 *
 * @param open the source, which has to have the very bytes of the descriptor
 * @param onBytes told of bytes as they are handed on
 */
export function createOutgoing(
  blob: Descriptor,
  open: () => Readable | Promise<Readable>,
  reference: string,
  onBytes: PushOptions['onBytes'],
): Outgoing {
  let isWhole = blob.size === 0;
  let fault: unknown;
  async function* read(): AsyncGenerator<Buffer, void, undefined> {
    let passed = 0;
    try {
      const { digest, size } = blob;
      for await (const chunk of verifiedChunks(lentChunks(await open()), { digest, size, reference })) {
        passed += chunk.length;
        isWhole = passed === size;
        onBytes?.(chunk.length);
        yield chunk;
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

/** All of it in memory. @param size bytes. @throws SVC-SIG-002, and what the source fails with */
export async function readWhole(from: Outgoing, size: number): Promise<Buffer> {
  const whole = Buffer.allocUnsafe(size);
  let filled = 0;
  for await (const chunk of from) filled += chunk.copy(whole, filled);
  return whole;
}
