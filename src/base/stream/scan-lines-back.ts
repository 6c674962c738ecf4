import type { FileHandle } from 'node:fs/promises';
import type { Pacer } from '../pacer.ts';

/** Bytes that are read at once. */
const blockSize = 128 << 10;
const lineFeed = 0x0a;

/**
 * Reads the lines of a file from its end to its beginning, in slices.
 *
 * @param end position in bytes, at the end of a line
 * @param visit is called with each line, with its line feed; the scan ends when it returns false
 * @param longest bytes of a line; of a longer one, only its line feed is given
 * @returns false when `visit` ended the scan
 * @throws the operating system's error
 */
export async function scanLinesBack(
  file: FileHandle,
  end: number,
  visit: (line: Buffer, offset: number) => boolean,
  { longest, pacer }: { readonly longest: number; readonly pacer: Pacer },
): Promise<boolean> {
  /** The end of a line that begins in the block before. */
  let rest: Buffer = Buffer.alloc(0);
  for (let at = end; at > 0; ) {
    const start = Math.max(0, at - blockSize);
    const block = Buffer.allocUnsafe(at - start);
    const { bytesRead } = await file.read(block, 0, block.length, start);
    const bytes = Buffer.concat([block.subarray(0, bytesRead), rest]);
    let lineEnd = bytes.length;
    while (lineEnd > 0) {
      const feed = lineEnd < 2 ? -1 : bytes.lastIndexOf(lineFeed, lineEnd - 2);
      if (feed < 0 && start > 0) break;
      if (!visit(bytes.subarray(feed + 1, lineEnd), start + feed + 1)) return false;
      lineEnd = feed + 1;
      if (pacer.isDue()) await pacer.rest();
    }
    rest = lineEnd > longest ? Buffer.of(lineFeed) : Buffer.from(bytes.subarray(0, lineEnd));
    at = start;
  }
  return true;
}
