import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { type Digest, type DigestAlgorithm, digestAlgorithm, toDigest } from '../base/digest.ts';
import { svcError } from '../base/error.ts';
import { releaseMemory } from '../base/release-memory.ts';
import { toWriteError } from '../disk/write-error.ts';
import type { BlobWriter } from './model.ts';
import { requireFileSize, type VolumeLimits } from './require-space.ts';

/**
 * Bytes of one write. Larger ones cost two to five times the processor time: the kernel then looks for large pages, and
 * those are seldom the ones still in its caches.
 */
const batchBytes = 256 << 10;
const readBytes = 1 << 20;
const earlySyncBytes = 64 << 20;

export interface BlobWriterOptions {
  /** The temporary file, made new. */
  readonly path: string;
  readonly algorithm: DigestAlgorithm;
  readonly limits: VolumeLimits;
  /** Takes the finished temporary file, still open, as the blob of this digest. */
  readonly finish: (path: string, file: FileHandle, digest: Digest, size: number) => Promise<void>;
}

/**
 * Opens a temporary file for one blob. Chunks are hashed as they come and written in batches that form by themselves:
 * what arrives while a write is under way makes up the next one, so nothing stays in memory when bytes stop coming.
 *
 * @throws SVC-STO-002, SVC-STO-004
 */
export async function openBlobWriter(options: BlobWriterOptions): Promise<BlobWriter> {
  const { path, algorithm, limits, finish } = options;
  const running = createHash(algorithm);
  let received = 0;
  let written = 0;
  let synced = 0;
  let waiting: Buffer[] = [];
  let disposable: Buffer[] = [];
  let waitingBytes = 0;
  let failure: { readonly error: unknown } | undefined;
  let draining: Promise<void> | undefined;
  let early: Promise<void> | undefined;
  let state: 'open' | 'committing' | 'ended' = 'open';

  const file = await open(path, 'wx+', 0o644).catch((error: unknown) => {
    throw toWriteError(error, path);
  });

  const syncEarly = (): void => {
    if (early !== undefined || written - synced < earlySyncBytes) return;
    synced = written;
    // Only spreads the work: the sync that counts comes after the last byte and reports every failure.
    early = file
      .datasync()
      .catch(() => {})
      .finally(() => {
        early = undefined;
      });
  };

  const drain = async (): Promise<void> => {
    try {
      while (waiting.length > 0) {
        const batch = waiting;
        const bytes = waitingBytes;
        const done = disposable;
        waiting = [];
        disposable = [];
        waitingBytes = 0;
        await writeAll(file, batch, bytes, written);
        written += bytes;
        for (const chunk of done) releaseMemory(chunk);
        syncEarly();
      }
    } catch (error) {
      failure = { error: toWriteError(error, path, { size: received }) };
    } finally {
      draining = undefined;
    }
  };

  const release = async (): Promise<void> => {
    state = 'ended';
    await draining;
    await early;
    await file.close().catch(() => {});
    await unlink(path).catch(() => {});
  };

  return {
    get received() {
      return received;
    },
    async write(chunk, options) {
      if (failure) throw failure.error;
      if (state !== 'open') throw svcError('SVC-STO-002', { path, detail: 'the blob has ended' });
      if (chunk.length === 0) return;
      received += chunk.length;
      requireFileSize(path, received, limits);
      running.update(chunk);
      waiting.push(chunk);
      if (options?.disposable === true) disposable.push(chunk);
      waitingBytes += chunk.length;
      draining ??= drain();
      while (waitingBytes >= batchBytes && draining !== undefined) await draining;
      if (failure) throw (failure as { readonly error: unknown }).error;
    },
    async commit(expected) {
      if (state !== 'open') throw svcError('SVC-STO-002', { path, detail: 'the blob has ended' });
      state = 'committing';
      try {
        await draining;
        await early;
        if (failure) throw (failure as { readonly error: unknown }).error;
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

async function writeAll(
  file: FileHandle,
  batch: readonly Buffer[],
  bytes: number,
  position: number,
): Promise<void> {
  const { bytesWritten } =
    batch.length === 1
      ? await file.write(batch[0]!, 0, bytes, position)
      : await file.writev(batch as Buffer[], position);
  if (bytesWritten === bytes) return;
  // A short write: the rest again, where a full disk then says so.
  let rest = Buffer.concat(batch).subarray(bytesWritten);
  let at = position + bytesWritten;
  while (rest.length > 0) {
    const again = await file.write(rest, 0, rest.length, at);
    rest = rest.subarray(again.bytesWritten);
    at += again.bytesWritten;
  }
}

/** A client may open an upload without saying the algorithm and end it with a digest of the other one. */
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
