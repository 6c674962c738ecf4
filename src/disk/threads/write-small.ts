import { closeSync, fdatasync, openSync, renameSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { type Digest, digestAlgorithm } from '../../base/digest.ts';
import { allocateAligned } from '../aligned-memory.ts';
import { readWritten } from './copy-range.ts';
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

/** Small files have fewer bytes, and a direct read returns whole pages. */
const memoryBytes = 128 << 10;
let memory: Buffer | undefined;

const makeDurable = promisify(fdatasync);

/**
 * Writes small files, makes them durable, and gives them their names then. Each is read back from its disk and hashed. The
 * filesystem is asked at the same time for all of them, and needs one turn of its journal for many. Everything else is done
 * synchronously: call it in a thread.
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
  memory ??= allocateAligned(memoryBytes);
  return {
    readBack: files.map(({ path, digest }) => {
      const found = readWritten(path, digestAlgorithm(digest), digest, memory!);
      return found && { device: found.device, inode: found.inode, size: found.size, ctimeNs: found.ctimeNs };
    }),
  };
}
