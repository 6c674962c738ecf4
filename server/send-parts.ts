import type { ServerResponse } from 'node:http';
import { Pacer } from '../src/base/pacer.ts';

/** Waits until the client has read most of the written bytes, or has left. */
function awaitRoom(res: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = (): void => {
    res.off('drain', end).off('close', end);
    resolve();
  };
  res.on('drain', end).on('close', end);
  return promise;
}

/**
 * Writes the parts of a body, each once the client has read most of those before it, and ends the answer. Stops when the
 * client leaves.
 */
export async function sendParts(
  res: ServerResponse,
  parts: Iterable<string | Buffer> | AsyncIterable<string | Buffer>,
): Promise<void> {
  const pacer = new Pacer();
  for await (const part of parts) {
    if (res.destroyed) return;
    if (!res.write(part)) await awaitRoom(res);
    // before the next part is made
    if (res.destroyed) return;
    if (pacer.isDue()) await pacer.rest();
  }
  res.end();
}
