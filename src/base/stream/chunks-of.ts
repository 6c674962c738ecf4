import { finished, type Readable } from 'node:stream';

/** Bytes that may wait for the reader before the stream is paused, by default. */
const usualWindow = 256 << 10;

/**
 * Yields the chunks of a stream as they arrived. The stream's own iterator joins waiting chunks, which copies every byte
 * of a fast stream once more. Chunks that arrived before a failure are yielded before the failure is thrown. A reader
 * that stops early destroys the stream.
 *
 * @param window bytes that may wait for the reader before the stream is paused
 * @throws the error of the stream, also if it closes before its end
 */
export async function* chunksOf(
  from: Readable,
  window: number = usualWindow,
): AsyncGenerator<Buffer, void, undefined> {
  const waiting: Buffer[] = [];
  let next = 0;
  let bytes = 0;
  let outcome: { readonly error?: Error | null | undefined } | undefined;
  let wake: (() => void) | undefined;

  const onData = (chunk: Buffer): void => {
    waiting.push(chunk);
    bytes += chunk.length;
    if (bytes >= window) from.pause();
    wake?.();
  };
  const forget = finished(from, { writable: false }, (error) => {
    outcome = { error };
    wake?.();
  });
  from.on('data', onData);
  try {
    for (;;) {
      if (next < waiting.length) {
        const chunk = waiting[next]!;
        next += 1;
        bytes -= chunk.length;
        if (next === waiting.length) {
          waiting.length = 0;
          next = 0;
        }
        if (bytes < window && from.isPaused()) from.resume();
        yield chunk;
      } else if (outcome !== undefined) {
        if (outcome.error) throw outcome.error;
        return;
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        wake = undefined;
      }
    }
  } finally {
    from.off('data', onData);
    forget();
    if (outcome === undefined) {
      // a reader that stops does not need the errors that follow
      from.on('error', () => {});
      from.destroy();
    }
  }
}
