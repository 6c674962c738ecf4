import type { RateLimiter, TurnOptions } from '../../base/link/rate-limiter.ts';

/**
 * Yields a chunk of an upload as the cap allows: in portions, so that they leave evenly. Without a cap it is yielded
 * unchanged.
 *
 * @throws the reason of the signal
 */
export async function* paceChunk(
  chunk: Buffer,
  limiter: RateLimiter,
  how: TurnOptions = {},
): AsyncGenerator<Buffer, void, undefined> {
  for (let at = 0; at < chunk.length; ) {
    const { portion } = limiter;
    const isWhole = at === 0 && chunk.length <= portion;
    // a copy: the connection may keep several portions, and the memory of the chunk may be filled again meanwhile
    const part = isWhole ? chunk : Buffer.from(chunk.subarray(at, Math.min(chunk.length, at + portion)));
    const turn = limiter.take(part.length, 'sent', how);
    if (turn !== undefined) await turn;
    yield part;
    at += part.length;
  }
}

/**
 * The body of a request as the cap allows: the same bytes while there is no cap, or they are few.
 *
 * @param body is not changed before the request has ended
 */
export function paceBytes(
  body: Buffer,
  limiter: RateLimiter,
  signal?: AbortSignal,
): Buffer | AsyncIterable<Buffer> {
  const how = { signal, isDocument: true };
  if (body.length > limiter.portion) return paceChunk(body, limiter, how);
  const turn = body.length === 0 ? undefined : limiter.take(body.length, 'sent', how);
  if (turn === undefined) return body;
  return (async function* () {
    await turn;
    yield body;
  })();
}
