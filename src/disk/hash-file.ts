import { createHash } from 'node:crypto';
import { type BigIntStats, closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { type Digest, type DigestAlgorithm, toDigest } from '../base/digest.ts';
import { liesAt } from './lies-at.ts';

/** Tells whether a file is still the one that was hashed. */
export interface FileIdentity {
  readonly device: bigint;
  readonly inode: bigint;
  readonly size: number;
  readonly ctimeNs: bigint;
}

/** Whether a file is as it was hashed. Inodes are not compared, since some filesystems number them anew. */
export function isUnchanged(info: BigIntStats, { device, size, ctimeNs }: FileIdentity): boolean {
  return info.isFile() && info.dev === device && info.size === BigInt(size) && info.ctimeNs === ctimeNs;
}

export type HashOutcome =
  | {
      readonly digest: Digest;
      readonly identity: FileIdentity;
      /** The very bytes that were hashed, where the job asked for them. */
      readonly bytes?: Uint8Array;
    }
  | { readonly problem: 'missing' | 'unreadable' | 'changed'; readonly detail: string }
  | { readonly problem: 'size'; readonly actual: number };

export interface HashJob {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly algorithm: DigestAlgorithm;
  /** Bytes the file must have; compared before a byte is read. */
  readonly size?: number | undefined;
  /** Hands the bytes over with the digest, if one read gave them all. */
  readonly keep?: boolean | undefined;
}

/** Bytes of one read: what the kernel copies is hashed while it is in the processor's own cache. */
export const hashReadBytes: number = 256 << 10;

/**
 * Hashes one file below a root without following links: the descriptor must be a regular file and must lie where its
 * name says. Reads synchronously into the caller's buffer, which is twice as fast as a stream: call it in a thread.
 *
 * @param root real path of the root
 * @param buffer reused between calls, of `hashReadBytes`
 * @param onBytes told after each read
 */
export function hashFile(
  root: string,
  job: HashJob,
  buffer: Buffer,
  onBytes: (count: number) => void,
): HashOutcome {
  const reading = hashInSteps(root, job, buffer);
  for (;;) {
    const { done, value } = reading.next();
    if (done) return value;
    onBytes(value);
  }
}

/** Hashes as {@link hashFile} does, and yields the bytes of each read: whoever has more to do goes on later. */
export function* hashInSteps(root: string, job: HashJob, buffer: Buffer): Generator<number, HashOutcome> {
  const path = join(root, job.path);
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    return { problem: code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : 'unreadable', detail: code };
  }
  try {
    const before = fstatSync(fd, { bigint: true });
    if (!before.isFile()) return { problem: 'unreadable', detail: 'not a regular file' };
    if (!liesAt(fd, path)) return { problem: 'unreadable', detail: 'reached through a link' };
    const size = Number(before.size);
    if (job.size !== undefined && size !== job.size) return { problem: 'size', actual: size };
    const hash = createHash(job.algorithm);
    let total = 0;
    let count = 0;
    while (total < size) {
      count = readSync(fd, buffer, 0, buffer.length, null);
      if (count === 0) break;
      hash.update(count === buffer.length ? buffer : buffer.subarray(0, count));
      total += count;
      yield count;
    }
    const after = fstatSync(fd, { bigint: true });
    if (total !== size || after.size !== before.size || after.ctimeNs !== before.ctimeNs) {
      return { problem: 'changed', detail: 'the file changed while it was read' };
    }
    const identity = { device: before.dev, inode: before.ino, size, ctimeNs: before.ctimeNs };
    const digest = toDigest(job.algorithm, hash);
    const isWholeInBuffer = count === size;
    if (!job.keep || !isWholeInBuffer) return { digest, identity };
    return { digest, identity, bytes: new Uint8Array(buffer.subarray(0, size)) };
  } catch (error) {
    return { problem: 'unreadable', detail: (error as NodeJS.ErrnoException).code ?? 'unknown' };
  } finally {
    closeSync(fd);
  }
}
