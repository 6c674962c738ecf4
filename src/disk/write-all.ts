import type { FileHandle } from 'node:fs/promises';

/** Writes all the pieces one after the other from `position`; a short write is continued. */
export async function writeAll(
  file: FileHandle,
  pieces: readonly Uint8Array[],
  position: number,
): Promise<void> {
  let left = pieces.filter((piece) => piece.length > 0);
  let at = position;
  while (left.length > 0) {
    let { bytesWritten } = await file.writev(left, at);
    at += bytesWritten;
    // what a full disk did not take comes back as an error of the next call
    left = left.flatMap((piece) => {
      const taken = Math.min(piece.length, bytesWritten);
      bytesWritten -= taken;
      return taken === piece.length ? [] : [piece.subarray(taken)];
    });
  }
}
