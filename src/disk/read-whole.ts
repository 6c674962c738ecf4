import type { FileHandle } from 'node:fs/promises';

/**
 * Reads `size` bytes from the beginning of an open file; fewer only if the file is shorter. The size is known, because a
 * `stat` and a read beyond the end would take as long as reading a small file.
 */
export async function readWhole(file: FileHandle, size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(size);
  for (let filled = 0; filled < size; ) {
    const { bytesRead } = await file.read(bytes, filled, size - filled, filled);
    if (bytesRead === 0) return bytes.subarray(0, filled);
    filled += bytesRead;
  }
  return bytes;
}
