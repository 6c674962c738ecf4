/**
 * The chunks in which an archive passes from the thread that reads to the one that writes: memory that both see, used
 * again and again. Fresh memory for all of it would take longer to get from the system than to fill.
 */
export interface PackRing {
  readonly bytes: SharedArrayBuffer;
  /** One number: how many chunks may be filled. */
  readonly free: SharedArrayBuffer;
}

/** Whole blocks of an archive. For larger ones the kernel takes longer to write them. */
export const ringChunkBytes: number = 256 << 10;
const ringChunks = 32;

/** Makes a ring of which nothing may be filled yet. */
export function createPackRing(): PackRing {
  return { bytes: new SharedArrayBuffer(ringChunks * ringChunkBytes), free: new SharedArrayBuffer(4) };
}

/**
 * Lets all chunks be filled.
 *
 * @returns gives a chunk back, which may come in any order: none is filled again before all that came before it are
 *   back as well
 */
export function openPackRing({ free }: PackRing): (index: number) => void {
  const count = new Int32Array(free);
  const add = (chunks: number): void => {
    Atomics.add(count, 0, chunks);
    Atomics.notify(count, 0);
  };
  const back = new Set<number>();
  let oldest = 0;
  add(ringChunks);
  return (index) => {
    back.add(index);
    for (; back.delete(oldest); oldest += 1) add(1);
  };
}

/** Waits until the next chunk may be filled. Holds its thread. */
export function awaitChunk({ free }: PackRing): void {
  const count = new Int32Array(free);
  while (Atomics.load(count, 0) === 0) Atomics.wait(count, 0, 0);
  Atomics.sub(count, 0, 1);
}

/** The chunk that comes after so many others. */
export function chunkAt({ bytes }: PackRing, index: number): Buffer {
  return Buffer.from(bytes, (index % ringChunks) * ringChunkBytes, ringChunkBytes);
}
