import type { FileHandle } from 'node:fs/promises';

/**
 * So many bytes from the beginning of an open file; fewer only where it ends. Its size is known: asking for it again, and
 * for what comes behind, would take as long as the reading of a small file.
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
