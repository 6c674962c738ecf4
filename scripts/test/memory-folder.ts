import { existsSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';

const folder = '/dev/shm';
/** Type of a file system in memory, by statfs(2). */
const tmpfs = 0x01021994;
/** Bytes that the short tests leave room for, in the folder and in memory. */
const room = 2 * 1024 ** 3;

/**
 * Returns the folder in memory in which the short tests keep their files, if this machine has room for them and TMPDIR
 * names no other. They sync more than they compute: a disk would take three times as long. Long tests use the disk.
 */
export function findMemoryFolder(): string | undefined {
  if (process.env.TMPDIR !== undefined || !existsSync(folder)) return;
  const { type, bavail, bsize } = statfsSync(folder);
  return type === tmpfs && Math.min(bavail * bsize, freemem()) >= room ? folder : undefined;
}
