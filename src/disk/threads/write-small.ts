import { closeSync, fdatasync, openSync, read, renameSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Digest } from '../../base/digest.ts';
import { releaseMemory } from '../../base/release-memory.ts';
import { allocateAligned, directAlignment } from '../aligned-memory.ts';
import { judgeWritten, type WantedBytes } from './copy-range.ts';
import type { FileIdentity } from './hash-file.ts';

/** A small file, which is written under another name first. */
interface SmallWrite {
  readonly temporary: string;
  readonly path: string;
  readonly digest: Digest;
  /** Bytes. */
  readonly size: number;
}

/** Small files and their contents, one behind the other. */
export interface SmallWrites {
  readonly files: readonly SmallWrite[];
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export type SmallWritesOutcome =
  /** Each file; undefined where its disk returns bytes that have not its digest. */
  | { readonly readBack: readonly (FileIdentity | undefined)[] }
  /** `code` is that of the operating system. */
  | { readonly code: string; readonly detail: string };

const makeDurable = promisify(fdatasync);

/** @returns number of bytes; 0 where nothing can be read */
const readAt = ({ fd, position }: WantedBytes, into: Buffer): Promise<number> =>
  new Promise((resolve) => read(fd, into, 0, into.length, position, (_, count) => resolve(count ?? 0)));

/**
 * Writes small files, makes them durable, and gives them their names then. Each is read back from its disk and hashed. The
 * filesystem is asked at the same time for all of them, and needs one turn of its journal for many. So is the disk that they
 * are read from. Everything else is done synchronously: call it in a thread.
 */
export async function writeSmallFiles({ files, bytes }: SmallWrites): Promise<SmallWritesOutcome> {
  const opened: number[] = [];
  try {
    let from = 0;
    for (const { temporary, size } of files) {
      const fd = openSync(temporary, 'wx', 0o644);
      opened.push(fd);
      for (const end = from + size; from < end; ) from += writeSync(fd, bytes, from, end - from);
    }
    await Promise.all(opened.map((fd) => makeDurable(fd)));
    for (const { temporary, path } of files) renameSync(temporary, path);
  } catch (error) {
    const { code = 'unknown', message } = error as NodeJS.ErrnoException;
    return { code, detail: message };
  } finally {
    for (const fd of opened) closeSync(fd);
  }
  return { readBack: await readAllBack(files) };
}

/** Reads written files from their disk. @returns as of {@link SmallWritesOutcome} */
async function readAllBack(files: SmallWrites['files']): Promise<readonly (FileIdentity | undefined)[]> {
  // a direct read returns whole pages
  const lengths = files.map(({ size }) => Math.ceil((size + 1) / directAlignment) * directAlignment);
  const memory = allocateAligned(lengths.reduce((sum, length) => sum + length, 0));
  let end = 0;
  const reading = files.map(({ path, digest }, i) => {
    const begin = end;
    end += lengths[i]!;
    return readBack(path, digest, memory.subarray(begin, end));
  });
  const found = await Promise.all(reading);
  releaseMemory(memory);
  return found;
}

async function readBack(path: string, digest: Digest, into: Buffer): Promise<FileIdentity | undefined> {
  const judging = judgeWritten(path, digest, into);
  let step = judging.next();
  while (!step.done) step = judging.next(await readAt(step.value, into));
  const found = step.value;
  return found && { device: found.device, inode: found.inode, size: found.size, ctimeNs: found.ctimeNs };
}
