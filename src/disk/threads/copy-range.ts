import { createHash } from 'node:crypto';
import { closeSync, constants, fdatasyncSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type Digest, type DigestAlgorithm, digestAlgorithm, toDigest } from '../../base/digest.ts';
import type { Steps } from '../../base/pacer.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import { allocateAligned, directAlignment, directLeast } from '../aligned-memory.ts';
import { liesAt } from '../place/lies-at.ts';
import { describeFailedOpen, notRegular } from '../special-file.ts';
import type { FileIdentity } from './hash-file.ts';

/** A file, or a part of one, to be copied and hashed in one pass. */
export interface CopyJob {
  readonly source: {
    /** Real path of an untrusted folder. */
    readonly root: string;
    /** Relative to the root, with `/`. */
    readonly path: string;
    /** Offset of the part; absent: the whole file is copied, and must have the size. */
    readonly offset?: number;
  };
  /** Bytes. */
  readonly size: number;
  readonly algorithm: DigestAlgorithm;
  /** A position in a file that the caller has open, or a new file, which is made durable if `durable` is set. */
  readonly target:
    | { readonly fd: number; readonly position: number }
    | {
        readonly path: string;
        readonly durable: boolean;
        /**
         * The digest that the bytes should have. The file is then read back from its disk and hashed. The source is hashed
         * only where the file has another digest.
         */
        readonly expected?: Digest | undefined;
        /** Believes the disk: the bytes are hashed while they are copied, and not read back. */
        readonly believed?: boolean | undefined;
      };
}

/** A written file that was read back from its disk, or is believed, and has its digest. */
export interface ReadBack extends FileIdentity {
  readonly mtimeNs: bigint;
}

/** Bytes of an open file, from a position, that a judgement needs next. */
export interface WantedBytes {
  readonly fd: number;
  readonly position: number;
}

export type CopyOutcome =
  /** The digest is that of the source. Without `readBack`, the bytes of the target are not known. */
  | { readonly digest: Digest; readonly readBack?: ReadBack | undefined }
  /** `detail` is the code of the operating system, or a rule. */
  | { readonly problem: 'missing' | 'unreadable' | 'size'; readonly detail: string | Rule }
  /** The target could not be written; `code` is that of the operating system. */
  | { readonly problem: 'unwritten'; readonly detail: string; readonly code: string };

/**
 * Bytes of one read and write through the kernel's cache. For larger ones the kernel looks for large pages, which its
 * caches seldom have: three times the processor time.
 */
const cachedPartBytes = 256 << 10;
/** A direct read or write waits for its disk: larger ones wait less often, and each thread has memory for one. */
const directPartBytes = 2 << 20;

let memory: Buffer | undefined;

class SourceError extends Error {
  readonly problem: 'missing' | 'unreadable' | 'size';
  readonly detail: string | Rule;

  constructor(problem: SourceError['problem'], detail: string | Rule) {
    super(problem);
    this.problem = problem;
    this.detail = detail;
  }
}

/**
 * Copies bytes and returns their digest. Either exactly the hashed bytes are written, or the written file was read back and
 * hashed. The source is opened through no link. A large copy bypasses the kernel's cache, where the filesystem can. Each step
 * reads and writes one part synchronously: run them in a thread, and those of one job at a time.
 *
 * @param onBytes called after each read
 */
export function* copyInSteps(job: CopyJob, onBytes: (count: number) => void): Steps<CopyOutcome> {
  let source: number | undefined;
  try {
    source = openSource(job);
    return yield* copyFrom(source, job, onBytes);
  } catch (error) {
    if (error instanceof SourceError) return { problem: error.problem, detail: error.detail };
    const { code = 'unknown', message } = error as NodeJS.ErrnoException;
    return { problem: 'unwritten', code, detail: message };
  } finally {
    if (source !== undefined) closeSync(source);
  }
}

function openSource({ source: { root, path, offset }, size }: CopyJob): number {
  const full = join(root, path);
  let fd: number;
  try {
    fd = openSync(full, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const { problem, detail } = describeFailedOpen(error);
    throw new SourceError(problem, detail);
  }
  try {
    const info = fstatSync(fd);
    if (!info.isFile()) throw new SourceError('unreadable', notRegular);
    if (!liesAt(fd, full))
      throw new SourceError('unreadable', rule(['reached through a link', fr`atteint par un lien`]));
    const isRight = offset === undefined ? info.size === size : info.size >= offset + size;
    if (!isRight)
      throw new SourceError(
        'size',
        rule(['{found} bytes instead of {size}', fr`{found} octets au lieu de {size}`], {
          found: info.size - (offset ?? 0),
          size,
        }),
      );
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function* copyFrom(source: number, job: CopyJob, onBytes: (count: number) => void): Steps<CopyOutcome> {
  const { target, size, algorithm } = job;
  const { offset = 0 } = job.source;
  memory ??= allocateAligned(directPartBytes);
  const hash = createHash(algorithm);
  const toOutcome = (): CopyOutcome => ({ digest: toDigest(algorithm, hash) });
  const copyTo = (fd: number, position: number, use: (part: Buffer) => void): Steps<void> =>
    pump({ source, offset, size }, { fd, position }, memory!, (part) => {
      use(part);
      onBytes(part.length);
    });
  const hashPart = (part: Buffer): void => void hash.update(part);
  if ('fd' in target) {
    yield* copyTo(target.fd, target.position, hashPart);
    return toOutcome();
  }
  const { path, durable, expected, believed = false } = target;
  const fd = openSync(path, 'wx', 0o644);
  try {
    const isHashed = believed || expected === undefined;
    yield* copyTo(fd, 0, isHashed ? hashPart : () => {});
    if (durable) fdatasyncSync(fd);
    if (isHashed) {
      const outcome = toOutcome();
      return believed ? { ...outcome, readBack: identify(fd) } : outcome;
    }
  } finally {
    closeSync(fd);
  }
  const readBack = yield* readWritten(path, expected, memory);
  if (readBack !== undefined) return { digest: expected, readBack };
  // either the source is damaged, or the disk of the target
  for (let done = 0; done < size; ) {
    const count = readPart(source, memory, Math.min(cachedPartBytes, size - done), offset + done);
    hashPart(memory.subarray(0, count));
    done += count;
  }
  return toOutcome();
}

/** Reads a file and judges it by {@link judgeWritten}. */
function* readWritten(path: string, expected: Digest, buffer: Buffer): Steps<ReadBack | undefined> {
  const judging = judgeWritten(path, expected, buffer);
  let step = judging.next();
  while (!step.done) {
    let count = 0;
    try {
      count = readSync(step.value.fd, buffer, 0, buffer.length, step.value.position);
    } catch {
      // nothing was read
    }
    step = judging.next(count);
    yield;
  }
  return step.value;
}

/**
 * Hashes a file as its disk has it, past the kernel's cache where the filesystem can. The caller reads into the buffer from each
 * position that is yielded, and passes the number of bytes on: 0 where it cannot read.
 *
 * @param buffer aligned memory
 * @returns undefined when the file has another digest, or cannot be read
 */
export function* judgeWritten(
  path: string,
  expected: Digest,
  buffer: Buffer,
): Generator<WantedBytes, ReadBack | undefined, number> {
  const algorithm = digestAlgorithm(expected);
  let fd: number | undefined;
  let direct: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    const found = identify(fd);
    direct = openDirect(fd, constants.O_RDONLY);
    const hash = createHash(algorithm);
    for (let done = 0; done < found.size; ) {
      // whole pages, also beyond the end of the file: a direct read has no others
      const count = yield { fd: direct ?? fd, position: done };
      if (count === 0) return undefined;
      hash.update(buffer.subarray(0, count));
      done += count;
    }
    if (toDigest(algorithm, hash) !== expected) return undefined;
    return found;
  } catch {
    return undefined;
  } finally {
    if (direct !== undefined) closeSync(direct);
    if (fd !== undefined) closeSync(fd);
  }
}

function identify(fd: number): ReadBack {
  const { dev, ino, size, ctimeNs, mtimeNs } = fstatSync(fd, { bigint: true });
  return { device: dev, inode: ino, size: Number(size), ctimeNs, mtimeNs };
}

function* pump(
  { source, offset, size }: { readonly source: number; readonly offset: number; readonly size: number },
  { fd: target, position }: { readonly fd: number; readonly position: number },
  buffer: Buffer,
  onPart: (part: Buffer) => void,
): Steps<void> {
  const output = openOutput(target, size >= directLeast);
  try {
    for (let done = 0; done < size; ) {
      const at = position + done;
      const count = readPart(source, buffer, Math.min(output.partAt(at), size - done), offset + done);
      const part = count === buffer.length ? buffer : buffer.subarray(0, count);
      output.write(part, at);
      done += count;
      onPart(part);
      yield;
    }
  } finally {
    output.close();
  }
}

/** An open file that can be written at any position, its whole pages past the kernel's cache. */
interface Output {
  /** Returns how many bytes are best written at once at a position. */
  partAt(position: number): number;
  write(part: Buffer, position: number): void;
  close(): void;
}

function openOutput(target: number, mayBeDirect: boolean): Output {
  let direct = mayBeDirect ? openDirect(target, constants.O_WRONLY) : undefined;
  const close = (): void => {
    if (direct !== undefined) closeSync(direct);
    direct = undefined;
  };
  return {
    partAt(position) {
      if (direct === undefined) return cachedPartBytes;
      const beyond = position % directAlignment;
      return beyond === 0 ? directPartBytes : directAlignment - beyond;
    },
    write(part, position) {
      let written = 0;
      if (direct !== undefined && position % directAlignment === 0) {
        const whole = part.length - (part.length % directAlignment);
        try {
          if (whole > 0) written = writeSync(direct, part, 0, whole, position);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'EINVAL') throw error;
          close();
        }
      }
      while (written < part.length)
        written += writeSync(target, part, written, part.length - written, position + written);
    },
    close,
  };
}

/** Opens the same file again, past the kernel's cache; undefined where its filesystem cannot. */
function openDirect(fd: number, access: number): number | undefined {
  try {
    return openSync(`/proc/self/fd/${fd}`, access | constants.O_DIRECT);
  } catch {
    return undefined;
  }
}

function readPart(source: number, buffer: Buffer, length: number, at: number): number {
  let count: number;
  try {
    count = readSync(source, buffer, 0, length, at);
  } catch (error) {
    throw new SourceError('unreadable', (error as NodeJS.ErrnoException).code ?? 'unknown');
  }
  if (count === 0)
    throw new SourceError(
      'size',
      rule(['it became shorter while it was read', fr`il a raccourci pendant la lecture`]),
    );
  return count;
}
