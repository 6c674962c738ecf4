import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { type Digest, digestAlgorithm, toDigest } from '../src/base/digest.ts';
import { svcError } from '../src/base/error.ts';
import { toReadError } from '../src/disk/read-error.ts';

/** Measured: with half of it one pull is a sixth slower. */
const bufferSize = 1 << 21;
/** For transfers beyond the first eight at once, which share the line anyway: peers that read nothing hold little. */
const smallBufferSize = 1 << 16;
/** A peer that takes no byte for this long, in milliseconds, has gone. */
const stall = 120_000;

/** Buffers of transfers that ended well, kept for the next: a pull allocates nothing. */
const pool: Buffer[] = [];
const poolLimit = 16;
/** Transfers under way with buffers of the full size. */
let large = 0;
const largeLimit = 8;

function takeBuffers(): [Buffer, Buffer] {
  if (large >= largeLimit)
    return [Buffer.allocUnsafeSlow(smallBufferSize), Buffer.allocUnsafeSlow(smallBufferSize)];
  large += 1;
  const take = () => pool.pop() ?? Buffer.allocUnsafeSlow(bufferSize);
  return [take(), take()];
}

/** @param clean whether nothing can still be reading from the buffers */
function giveBuffers(buffers: readonly Buffer[], clean: boolean): void {
  if (buffers[0]!.length !== bufferSize) return;
  large -= 1;
  if (clean) pool.push(...buffers.slice(0, poolLimit - pool.length));
}

function write(res: ServerResponse, chunk: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    // A destroyed response calls back with an error, but one destroyed while it waits for its peer may never call.
    const closed = (): void => reject(new Error('the peer has gone'));
    res.once('close', closed);
    res.write(chunk, (error) => {
      res.off('close', closed);
      if (error) reject(error);
      else resolve();
    });
  });
}

async function readFully(
  file: FileHandle,
  buffer: Buffer,
  length: number,
  position: number,
): Promise<number> {
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}

interface BlobPart {
  /** First byte and number of bytes to send. */
  readonly start: number;
  readonly length: number;
  /** Given: the whole blob is hashed while it is sent and its last bytes are withheld until the hash matches. */
  readonly expected?: Digest | undefined;
  /** Names the file in errors. */
  readonly path: string;
}

/**
 * Sends a part of an open file as the rest of a response. Ends the response only when every byte was there (and, where
 * asked, was the right one); the headers, with the length, have been written by the caller.
 *
 * @throws as `streamBlobPart`; the response is left unfinished then
 */
export async function sendBlobPart(res: ServerResponse, file: FileHandle, part: BlobPart): Promise<void> {
  await streamBlobPart(res, file, part);
  res.end();
}

/**
 * Sends a part of an open file: two reused buffers, one being read while the other is written, each refilled only when
 * its write has been taken over.
 *
 * @throws SVC-STO-001 when the file is shorter than promised, SVC-STO-014 when the disk does not answer, SVC-SIG-002 when its bytes are not the expected ones,
 *   and what the socket throws
 */
export async function streamBlobPart(res: ServerResponse, file: FileHandle, part: BlobPart): Promise<void> {
  const { start, length, expected } = part;
  const hash = expected === undefined ? undefined : createHash(digestAlgorithm(expected));
  const onStall = (): void => {
    res.destroy();
  };
  res.setTimeout(stall, onStall);
  let [reading, sending] = takeBuffers();
  let written: Promise<void> = Promise.resolve();
  let clean = false;
  try {
    let position = 0;
    while (position < length) {
      const wanted = Math.min(reading.length, length - position);
      const filled = await readFully(file, reading, wanted, start + position).catch((error: unknown) => {
        throw toReadError(error, part.path);
      });
      if (filled < wanted) {
        throw svcError('SVC-STO-001', { path: part.path, detail: 'the file is shorter than recorded' });
      }
      position += filled;
      const chunk = reading.subarray(0, filled);
      hash?.update(chunk);
      if (position === length && expected !== undefined && hash !== undefined) {
        const actual = toDigest(digestAlgorithm(expected), hash);
        if (actual !== expected) {
          throw svcError('SVC-SIG-002', { reference: part.path, expected, actual });
        }
      }
      await written;
      written = write(res, chunk);
      written.catch(() => {});
      [reading, sending] = [sending, reading];
    }
    await written;
    clean = true;
  } finally {
    res.setTimeout(0, undefined);
    res.off('timeout', onStall);
    // After a failure a buffer may still be queued in the socket: it must not be filled with other bytes.
    giveBuffers([reading, sending], clean);
  }
}
