import { createHash } from 'node:crypto';
import { type BigIntStats, closeSync, constants, fstatSync, openSync, readlinkSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { type Digest, type DigestAlgorithm, toDigest } from '../base/digest.ts';

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
  | { readonly digest: Digest; readonly identity: FileIdentity }
  | { readonly problem: 'missing' | 'unreadable' | 'changed'; readonly detail: string }
  | { readonly problem: 'size'; readonly actual: number };

export interface HashJob {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly algorithm: DigestAlgorithm;
  /** Bytes the file must have; compared before a byte is read. */
  readonly size?: number | undefined;
}

/**
 * Hashes one file below a root without following links: the descriptor must be a regular file and must lie where its
 * name says. Reads synchronously into the caller's buffer, which is twice as fast as a stream: call it in a thread.
 *
 * @param root real path of the root
 * @param buffer reused between calls; 1 MiB is a good size
 * @param onBytes told after each read
 */
export function hashFile(
  root: string,
  job: HashJob,
  buffer: Buffer,
  onBytes: (count: number) => void,
): HashOutcome {
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
    if (readlinkSync(`/proc/self/fd/${fd}`) !== path)
      return { problem: 'unreadable', detail: 'reached through a link' };
    if (job.size !== undefined && before.size !== BigInt(job.size))
      return { problem: 'size', actual: Number(before.size) };
    const hash = createHash(job.algorithm);
    let total = 0;
    for (;;) {
      const count = readSync(fd, buffer, 0, buffer.length, null);
      if (count === 0) break;
      hash.update(count === buffer.length ? buffer : buffer.subarray(0, count));
      total += count;
      onBytes(count);
    }
    const after = fstatSync(fd, { bigint: true });
    if (BigInt(total) !== before.size || after.size !== before.size || after.ctimeNs !== before.ctimeNs) {
      return { problem: 'changed', detail: 'the file changed while it was read' };
    }
    const identity = { device: before.dev, inode: before.ino, size: total, ctimeNs: before.ctimeNs };
    return { digest: toDigest(job.algorithm, hash), identity };
  } catch (error) {
    return { problem: 'unreadable', detail: (error as NodeJS.ErrnoException).code ?? 'unknown' };
  } finally {
    closeSync(fd);
  }
}
