import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { type Digest, digestAlgorithm, toDigest } from '../src/base/digest.ts';
import { toReadError } from '../src/disk/read-error.ts';
import { svcError } from '../src/text/error.ts';
import { fr } from '../src/text/language.ts';
import { rule } from '../src/text/rule.ts';

/** Bytes. Measured: with half of it, one pull is a sixth slower. */
const bufferSize = 1 << 21;
/**
 * Bytes. Used beyond the first eight transfers at once, which share the network anyway: slow clients then
 * hold little memory.
 */
const smallBufferSize = 1 << 16;
/** Maximum time without a byte taken by the peer, in milliseconds. The connection is closed after it. */
const stall = 120_000;

/** Buffers of completed transfers, reused so that a pull allocates none. */
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

/** @param clean whether no write can still read from the buffers */
function giveBuffers(buffers: readonly Buffer[], clean: boolean): void {
  if (buffers[0]!.length !== bufferSize) return;
  large -= 1;
  if (clean) pool.push(...buffers.slice(0, poolLimit - pool.length));
}

function write(res: ServerResponse, chunk: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    // The callback of `write` may never run when the response is destroyed while it waits for its peer.
    const closed = (): void => reject(new Error('the peer disconnected'));
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
  /** First byte to send; `length` is the number of bytes. */
  readonly start: number;
  readonly length: number;
  /**
   * Present: the complete blob is hashed while it is sent, and its last bytes are withheld until the hash
   * matches.
   */
  readonly expected?: Digest | undefined;
  /** Path of the file, used in errors. */
  readonly path: string;
}

/**
 * Sends a part of an open file as the body of a response. Ends the response only when every byte was read
 * and, with `expected`, matched the digest. The caller has written the headers, including the length.
 *
 * @throws the errors of `streamBlobPart`; the response is then not ended
 */
export async function sendBlobPart(res: ServerResponse, file: FileHandle, part: BlobPart): Promise<void> {
  await streamBlobPart(res, file, part);
  res.end();
}

/**
 * Sends a part of an open file. It uses two buffers, one being read into while the other is written; a buffer is filled
 * again only after its write has completed.
 *
 * @throws SVC-STO-001 when the file is too short, SVC-STO-014 when the disk does not answer, SVC-SIG-002 for bytes with
 *   another digest, and the errors of the socket
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
        throw svcError('SVC-STO-001', {
          path: part.path,
          detail: rule(['the file is shorter than recorded', fr`le fichier est plus court qu’enregistré`]),
        });
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
    // After a failure a buffer may still be queued in the socket and must not be reused.
    giveBuffers([reading, sending], clean);
  }
}
