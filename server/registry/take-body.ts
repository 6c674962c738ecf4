import type { IncomingMessage } from 'node:http';
import { wireError } from './wire-error.ts';

/** Bytes passed to `take` and not yet settled, above which the request is paused. */
const window = 2 << 20;

/**
 * Passes the chunks of a body to `take` as they arrive, without copying them and several at a time; an
 * iterator would do neither. Of a body that breaks off, the received chunks have been passed on. After a
 * refusal the request stays open, so that the answer can be sent.
 *
 * @param limit maximum length of the body in bytes
 * @param take called in order; its promise resolves when the chunk no longer counts against the window
 * @returns bytes taken
 * @throws WireError 400 beyond the limit, the errors of `take`, and the errors of the stream
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
      // a later error event must still have a listener
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
      if (!ended) fail(new Error('the peer disconnected'));
    };
    if (req.destroyed && !req.readableEnded) {
      fail(req.errored ?? new Error('the peer disconnected'));
      return;
    }
    req.on('data', onData).on('end', onEnd).on('error', fail).on('close', onClose);
  });
}
