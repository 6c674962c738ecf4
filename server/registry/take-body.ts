import type { IncomingMessage } from 'node:http';
import { wireError } from './wire-error.ts';

/** Bytes handed over and not yet taken, above which the peer has to wait. */
const window = 2 << 20;

/**
 * Hands a body over as it comes, several chunks under way at once and no chunk copied, which an iterator would do.
 * A body that breaks off has handed over what arrived; the request stays open after a refusal, so that it can be told.
 *
 * @param limit bytes that the request may bring; one more is an error
 * @param take called in order; its promise resolves when the chunk counts no more against the window
 * @returns bytes taken
 * @throws WireError 400 beyond the limit, what `take` throws, and what the stream throws
 */
export function takeBody(
  req: IncomingMessage,
  limit: number,
  take: (chunk: Buffer) => Promise<void>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    let received = 0;
    let underWay = 0;
    let ended = false;
    let settled = false;

    const settle = (finish: () => void): void => {
      if (settled) return;
      settled = true;
      req.off('data', onData).off('end', onEnd).off('error', fail).off('close', onClose);
      // an error that comes later still needs a listener
      req.on('error', () => {});
      finish();
    };
    const fail = (error: unknown): void =>
      settle(() => {
        req.pause();
        reject(error);
      });
    const onTaken = (bytes: number): void => {
      underWay -= bytes;
      if (settled) return;
      if (ended) {
        if (underWay === 0) settle(() => resolve(received));
      } else if (underWay < window && req.isPaused()) req.resume();
    };
    const onData = (chunk: Buffer): void => {
      const bytes = chunk.length;
      received += bytes;
      if (received > limit) {
        fail(wireError(400, 'SIZE_INVALID', 'the body is longer than its Content-Range says'));
        return;
      }
      underWay += bytes;
      if (underWay >= window) req.pause();
      take(chunk).then(() => onTaken(bytes), fail);
    };
    const onEnd = (): void => {
      ended = true;
      if (underWay === 0) settle(() => resolve(received));
    };
    const onClose = (): void => {
      if (!ended) fail(new Error('the peer has gone'));
    };
    if (req.destroyed && !req.readableEnded) {
      fail(req.errored ?? new Error('the peer has gone'));
      return;
    }
    req.on('data', onData).on('end', onEnd).on('error', fail).on('close', onClose);
  });
}
