import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { type Digest, type DigestAlgorithm, digestAlgorithm, toDigest } from '../../base/digest.ts';
import { openBulkWrite } from '../../disk/bulk-write.ts';
import { toWriteError } from '../../disk/write-error.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import type { BlobWriter } from '../model.ts';
import { requireFileSize, type VolumeLimits } from './require-space.ts';

const readBytes = 1 << 20;

interface BlobWriterOptions {
  /** Path of the temporary file, which must not exist. */
  readonly path: string;
  readonly algorithm: DigestAlgorithm;
  readonly limits: VolumeLimits;
  /** Bytes to receive, where that is known. */
  readonly size: number | undefined;
  /** Write a large blob without the page cache of the kernel: for content that is not read again soon. */
  readonly direct: boolean;
  /** Adds the finished temporary file, still open, as the blob of this digest. */
  readonly finish: (path: string, file: FileHandle, digest: Digest, size: number) => Promise<void>;
}

/**
 * Opens a temporary file for one blob. Chunks are hashed as they arrive. Chunks that arrive during a write
 * form the next write, so that no received byte waits in memory for another chunk.
 *
 * @throws SVC-STO-002, SVC-STO-004
 */
export async function openBlobWriter(options: BlobWriterOptions): Promise<BlobWriter> {
  const { path, algorithm, limits, finish } = options;
  const running = createHash(algorithm);
  let received = 0;
  let state: 'open' | 'committing' | 'ended' = 'open';

  const file = await open(path, 'wx+', 0o644).catch((error: unknown) => {
    throw toWriteError(error, path);
  });

  const bulk = await openBulkWrite(path, file, options);
  const guard = async (work: Promise<void>): Promise<void> => {
    try {
      await work;
    } catch (error) {
      throw toWriteError(error, path, { size: received });
    }
  };

  const release = async (): Promise<void> => {
    state = 'ended';
    await bulk.abort();
    await file.close().catch(() => {});
    await unlink(path).catch(() => {});
  };

  return {
    get received() {
      return received;
    },
    get pending() {
      return state === 'ended' ? 0 : received - bulk.written;
    },
    async write(chunk, options) {
      if (state !== 'open')
        throw svcError('SVC-STO-002', {
          path,
          detail: rule(['the blob is already closed', fr`le blob est déjà fermé`]),
        });
      if (chunk.length === 0) return;
      received += chunk.length;
      requireFileSize(path, received, limits);
      running.update(chunk);
      await guard(bulk.write(chunk, options?.disposable));
    },
    flush: () => bulk.flush(),
    async commit(expected) {
      if (state !== 'open')
        throw svcError('SVC-STO-002', {
          path,
          detail: rule(['the blob is already closed', fr`le blob est déjà fermé`]),
        });
      state = 'committing';
      try {
        await guard(bulk.finish());
        const wanted = expected === undefined ? algorithm : digestAlgorithm(expected);
        const hash = wanted === algorithm ? running : await hashAgain(file, received, wanted);
        const digest = toDigest(wanted, hash);
        if (expected !== undefined && digest !== expected)
          throw svcError('SVC-SIG-002', { reference: expected, expected, actual: digest });
        await finish(path, file, digest, received);
        state = 'ended';
        return { digest, size: received };
      } catch (error) {
        await release();
        throw error;
      }
    },
    async abort() {
      if (state === 'open') await release();
    },
  };
}

/**
 * Hashes the file with the other algorithm: a client may start an upload without an algorithm and complete it
 * with a digest of either.
 */
async function hashAgain(file: FileHandle, size: number, algorithm: DigestAlgorithm): Promise<Hash> {
  const hash = createHash(algorithm);
  const buffer = Buffer.allocUnsafe(readBytes);
  for (let at = 0; at < size; ) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
    if (bytesRead === 0) break;
    hash.update(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
  return hash;
}
