/**
 * Gives the memory of received bytes back at once. A stream of large chunks otherwise waits for the garbage collector,
 * which walks the whole heap again and again because so much memory hangs on so few objects: a third of the time of an
 * upload. The buffer is empty afterwards; one that shares its memory with others is left alone.
 */
export function releaseMemory(bytes: Buffer): void {
  const { buffer } = bytes;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength && bytes.byteLength > 0) {
    buffer.transfer(0);
  }
}
