import { createHash } from 'node:crypto';
import { closeSync, constants, fdatasyncSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type Digest, type DigestAlgorithm, toDigest } from '../../base/digest.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import { allocateAligned, directAlignment, directLeast } from '../aligned-memory.ts';
import { liesAt } from '../place/lies-at.ts';
import { describeFailedOpen, notRegular } from '../special-file.ts';

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
    | { readonly path: string; readonly durable: boolean };
}

export type CopyOutcome =
  | { readonly digest: Digest }
  /** `detail` is the code of the operating system, or a rule. */
  | { readonly problem: 'missing' | 'unreadable' | 'size'; readonly detail: string | Rule }
  /** The target could not be written; `code` is that of the operating system. */
  | { readonly problem: 'unwritten'; readonly detail: string; readonly code: string };

/**
 * Bytes of one read and write through the kernel's cache. For larger ones the kernel looks for large pages, which its
 * caches seldom have: three times the processor time.
 */
const cachedPartBytes = 256 << 10;
const directPartBytes = 1 << 20;

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
 * Copies bytes and returns their digest: exactly the hashed bytes are written. The source is opened through no link. A
 * large copy bypasses the kernel's cache, where the filesystem can. Reads and writes synchronously: call it in a thread.
 *
 * @param onBytes called after each read
 */
export function copyRange(job: CopyJob, onBytes: (count: number) => void): CopyOutcome {
  let source: number | undefined;
  try {
    source = openSource(job);
    return { digest: withTarget(job, (fd, position) => pump(job, source!, fd, position, onBytes)) };
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

function withTarget({ target }: CopyJob, work: (fd: number, position: number) => Digest): Digest {
  if ('fd' in target) return work(target.fd, target.position);
  const fd = openSync(target.path, 'wx', 0o644);
  try {
    const digest = work(fd, 0);
    if (target.durable) fdatasyncSync(fd);
    return digest;
  } finally {
    closeSync(fd);
  }
}

function pump(
  { source: { offset = 0 }, size, algorithm }: CopyJob,
  source: number,
  target: number,
  position: number,
  onBytes: (count: number) => void,
): Digest {
  memory ??= allocateAligned(directPartBytes);
  const buffer = memory;
  const hash = createHash(algorithm);
  const output = openOutput(target, size >= directLeast);
  try {
    for (let done = 0; done < size; ) {
      const at = position + done;
      const count = readPart(source, buffer, Math.min(output.partAt(at), size - done), offset + done);
      const part = count === buffer.length ? buffer : buffer.subarray(0, count);
      hash.update(part);
      output.write(part, at);
      done += count;
      onBytes(count);
    }
  } finally {
    output.close();
  }
  return toDigest(algorithm, hash);
}

/** An open file that can be written at any position, its whole pages past the kernel's cache. */
interface Output {
  /** Returns how many bytes are best written at once at a position. */
  partAt(position: number): number;
  write(part: Buffer, position: number): void;
  close(): void;
}

function openOutput(target: number, mayBeDirect: boolean): Output {
  let direct = mayBeDirect ? openDirect(target) : undefined;
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

/** Opens the same file again for direct writes; undefined where its filesystem cannot. */
function openDirect(fd: number): number | undefined {
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_DIRECT);
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
