import type { Readable } from 'node:stream';

const marked = new WeakSet<Readable>();

/** Says of a stream that nobody else uses its chunks: whoever takes them may give their memory back. */
export function markDisposable<T extends Readable>(stream: T): T {
  marked.add(stream);
  return stream;
}

/** Whether the chunks of a stream are their reader's alone. */
export function hasDisposableChunks(stream: Readable): boolean {
  return marked.has(stream);
}
