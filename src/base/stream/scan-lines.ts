import type { FileHandle } from 'node:fs/promises';
import type { Pacer } from '../pacer.ts';

/** Bytes that are read at once. */
const blockSize = 128 << 10;
const lineFeed = 0x0a;

/**
 * Reads the lines of a file from a position to its end, in slices. A last line without its line feed is left out: its
 * writer has not finished it.
 *
 * @param start position in bytes, at the beginning of a line
 * @param visit is called with each line, with its line feed, and the positions of both of its ends; the scan ends when it returns false
 * @param longest bytes of a line; of a longer one, only its line feed is given
 * @returns false when `visit` ended the scan
 * @throws the operating system's error
 */
export async function scanLines(
  file: FileHandle,
  start: number,
  visit: (line: Buffer, offset: number, end: number) => boolean,
  { longest, pacer }: { readonly longest: number; readonly pacer: Pacer },
): Promise<boolean> {
  /** The beginning of a line that ends in a block behind, and its position. */
  let rest: Buffer = Buffer.alloc(0);
  let offset = start;
  for (let at = start; ; ) {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(blockSize), 0, blockSize, at);
    if (bytesRead === 0) return true;
    const block = buffer.subarray(0, bytesRead);
    for (let begin = 0; begin < bytesRead; ) {
      const feed = block.indexOf(lineFeed, begin);
      if (feed < 0) {
        // a text longer than any line is not kept
        if (rest.length <= longest) rest = Buffer.concat([rest, block.subarray(begin)]);
        break;
      }
      const own = block.subarray(begin, feed + 1);
      const line = rest.length === 0 ? own : Buffer.concat([rest, own]);
      const end = at + feed + 1;
      if (!visit(end - offset > longest ? Buffer.of(lineFeed) : line, offset, end)) return false;
      [rest, offset, begin] = [Buffer.alloc(0), end, feed + 1];
      if (pacer.isDue()) await pacer.rest();
    }
    at += bytesRead;
  }
}
