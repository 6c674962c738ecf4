import { allocateSharedAligned } from '../disk/aligned-memory.ts';

/**
 * Chunks that carry an archive from the reading to the writing thread: shared memory that is reused. Allocating new
 * memory for all of them would take longer than filling it.
 */
export interface PackRing {
  readonly bytes: SharedArrayBuffer;
  /** One number: how many chunks may be filled. */
  readonly free: SharedArrayBuffer;
}

/** Bytes of one direct write, a multiple of a tar block and of a page. */
export const ringChunkBytes: number = 512 << 10;
const ringChunks = 16;

/** Creates a ring in which no chunk may be filled yet. */
export function createPackRing(): PackRing {
  return { bytes: allocateSharedAligned(ringChunks * ringChunkBytes), free: new SharedArrayBuffer(4) };
}

/**
 * Allows all chunks to be filled.
 *
 * @returns a function that returns a chunk, in any order: a chunk is filled again only after all chunks before it are
 *  returned as well
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

/** Waits until the next chunk may be filled. Blocks its thread. */
export function awaitChunk({ free }: PackRing): void {
  const count = new Int32Array(free);
  while (Atomics.load(count, 0) === 0) Atomics.wait(count, 0, 0);
  Atomics.sub(count, 0, 1);
}

/** Returns the chunk at an index of the whole sequence. */
export function chunkAt({ bytes }: PackRing, index: number): Buffer {
  return Buffer.from(bytes, (index % ringChunks) * ringChunkBytes, ringChunkBytes);
}
