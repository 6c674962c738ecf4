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

/** What becomes of a chunk that has served: nothing, its memory is given back, or whoever lent it is told. */
export type Disposal = boolean | (() => void);

export function disposeOf(chunk: Buffer, disposal: Disposal): void {
  if (typeof disposal === 'function') disposal();
  else if (disposal) releaseMemory(chunk);
}
