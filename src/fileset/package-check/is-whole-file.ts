import { open } from 'node:fs/promises';
import type { ReadAt } from './read-at.ts';
import { isWholeDeb } from './whole-deb.ts';
import { isWholeRpm } from './whole-rpm.ts';

/**
 * Whether a package of apt or rpm ends where its headers say. Reads headers only: other bytes inside of it are not noticed.
 *
 * @throws the errors of the disk
 */
export async function isWholeFile(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const read: ReadAt = async (position, length) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
      return buffer.subarray(0, bytesRead);
    };
    return await (path.endsWith('.rpm') ? isWholeRpm : isWholeDeb)(read, size);
  } finally {
    await file.close();
  }
}
