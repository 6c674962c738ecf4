import { createHash } from 'node:crypto';
import { type BigIntStats, closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { type Digest, type DigestAlgorithm, toDigest } from '../../base/digest.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import { liesAt } from '../place/lies-at.ts';
import { describeFailedOpen, notRegular } from '../special-file.ts';

/** Identifies the content of a file that was hashed. */
export interface FileIdentity {
  readonly device: bigint;
  readonly inode: bigint;
  readonly size: number;
  readonly ctimeNs: bigint;
}

/** Returns whether a file is unchanged since it was hashed. Inodes are not compared: some filesystems renumber them. */
export function isUnchanged(info: BigIntStats, { device, size, ctimeNs }: FileIdentity): boolean {
  return info.isFile() && info.dev === device && info.size === BigInt(size) && info.ctimeNs === ctimeNs;
}

/** A file that was hashed. */
export interface HashedFile {
  readonly digest: Digest;
  readonly identity: FileIdentity;
  /** The hashed bytes, if the job requests them. */
  readonly bytes?: Uint8Array | undefined;
  /** The digests (sha256) of the ranges of the job, in their order. */
  readonly ranges?: readonly Digest[] | undefined;
}

/** A range of the bytes of a file. */
export interface ByteRange {
  readonly offset: number;
  readonly size: number;
}

export type HashOutcome =
  | HashedFile
  /** `detail` is the code of the operating system, or a rule. */
  | { readonly problem: 'missing' | 'unreadable' | 'changed'; readonly detail: string | Rule }
  | { readonly problem: 'size'; readonly actual: number };

export interface HashJob {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly algorithm: DigestAlgorithm;
  /** Expected bytes of the file; compared before a byte is read. */
  readonly size?: number | undefined;
  /** Returns the bytes with the digest, if one read returned all of them. */
  readonly keep?: boolean | undefined;
  /** Ranges that are hashed in the same pass: in ascending order, without overlaps. */
  readonly ranges?: readonly ByteRange[] | undefined;
}

/** Bytes of hashed files that are kept in memory, of one file and in all: documents are judged by the bytes that were hashed. */
export const keptBytes = { file: 64 << 10, all: 16 << 20 } as const;

/** Bytes of one read: the bytes are hashed while they are still in the processor's cache. */
export const hashReadBytes: number = 256 << 10;

/**
 * Hashes one file below a root without following links: the descriptor must be a regular file, at the place that its
 * name says. Reads synchronously into the caller's buffer, which is twice as fast as a stream: call it in a thread.
 *
 * @param root real path of the root
 * @param buffer reused between calls, of `hashReadBytes`
 * @param onBytes called after each read
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

/** Hashes as {@link hashFile} does, and yields the number of bytes after each read, so that the caller can do other work. */
export function* hashInSteps(root: string, job: HashJob, buffer: Buffer): Generator<number, HashOutcome> {
  const path = join(root, job.path);
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    return describeFailedOpen(error);
  }
  try {
    const before = fstatSync(fd, { bigint: true });
    if (!before.isFile()) return { problem: 'unreadable', detail: notRegular };
    if (!liesAt(fd, path))
      return {
        problem: 'unreadable',
        detail: rule(['reached through a symbolic link', fr`atteint par un lien symbolique`]),
      };
    const size = Number(before.size);
    if (job.size !== undefined && size !== job.size) return { problem: 'size', actual: size };
    const hash = createHash(job.algorithm);
    const ranges = job.ranges && openRanges(job.ranges);
    let total = 0;
    let count = 0;
    while (total < size) {
      count = readSync(fd, buffer, 0, buffer.length, null);
      if (count === 0) break;
      const part = count === buffer.length ? buffer : buffer.subarray(0, count);
      hash.update(part);
      ranges?.update(part, total);
      total += count;
      yield count;
    }
    const after = fstatSync(fd, { bigint: true });
    if (total !== size || after.size !== before.size || after.ctimeNs !== before.ctimeNs) {
      return {
        problem: 'changed',
        detail: rule(['the file changed while it was read', fr`le fichier a changé pendant la lecture`]),
      };
    }
    const identity = { device: before.dev, inode: before.ino, size, ctimeNs: before.ctimeNs };
    const digest = toDigest(job.algorithm, hash);
    const isWholeInBuffer = count === size;
    const found = { digest, identity, ...(ranges && { ranges: ranges.digests }) };
    if (!job.keep || !isWholeInBuffer) return found;
    return { ...found, bytes: new Uint8Array(buffer.subarray(0, size)) };
  } catch (error) {
    return { problem: 'unreadable', detail: (error as NodeJS.ErrnoException).code ?? 'unknown' };
  } finally {
    closeSync(fd);
  }
}

/** Hashes ranges of bytes that arrive in order. */
function openRanges(ranges: readonly ByteRange[]) {
  const digests: Digest[] = [];
  let hash = createHash('sha256');
  return {
    digests,
    /** @param at position of the part in the file */
    update(part: Buffer, at: number): void {
      for (let range = ranges[digests.length]; range; range = ranges[digests.length]) {
        const begin = Math.max(0, range.offset - at);
        const end = range.offset + range.size - at;
        if (begin < Math.min(end, part.length)) hash.update(part.subarray(begin, Math.min(end, part.length)));
        if (end > part.length) return;
        digests.push(toDigest('sha256', hash));
        hash = createHash('sha256');
      }
    },
  };
}
