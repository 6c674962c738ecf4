import { lstat } from 'node:fs/promises';
import type { ReadBack } from './copy-range.ts';
import type { FileIdentity } from './hash-file.ts';

/**
 * Identifies a file that was read back and has another name since: the rename changed the time of the last change, and nothing
 * else.
 *
 * @returns undefined where another file is in its place, or other bytes
 * @throws the operating system's error
 */
export async function identifyMoved(
  path: string,
  { device, inode, size, mtimeNs }: ReadBack,
): Promise<FileIdentity | undefined> {
  const { dev, ino, ...info } = await lstat(path, { bigint: true });
  const isSame = dev === device && ino === inode && info.size === BigInt(size) && info.mtimeNs === mtimeNs;
  return isSame ? { device, inode, size, ctimeNs: info.ctimeNs } : undefined;
}
