import type { FileHandle } from 'node:fs/promises';

/** Writes all pieces one after the other from `position`; continues after a short write. */
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
    // after a short write on a full disk, the next call fails
    left = left.flatMap((piece) => {
      const taken = Math.min(piece.length, bytesWritten);
      bytesWritten -= taken;
      return taken === piece.length ? [] : [piece.subarray(taken)];
    });
  }
}
