import type { Readable } from 'node:stream';

const marked = new WeakSet<Readable>();

/** Marks a stream whose chunks nothing else uses: its reader may release their memory. */
export function markDisposable<T extends Readable>(stream: T): T {
  marked.add(stream);
  return stream;
}

/** Returns whether the reader of a stream is the only user of its chunks. */
export function hasDisposableChunks(stream: Readable): boolean {
  return marked.has(stream);
}
