import type { IncomingMessage, ServerResponse } from 'node:http';
import { svcError } from '../src/text/error.ts';
import type { BodyShare } from './shares/body-room.ts';

/**
 * In each span of time, these bytes of a document, a form or a manifest must arrive. A byte now and then would otherwise hold a
 * connection and memory for as long as a client likes.
 */
const leastProgress = { milliseconds: 20_000, bytes: 20 << 10 };

const awaited = new WeakSet<IncomingMessage>();

/** Whether the server has begun to read the body of a request. */
export function isBodyAwaited(req: IncomingMessage): boolean {
  return awaited.has(req);
}

/** Sends `100 Continue` when the client waits for it. Call it once, directly before the body is read. */
export function acceptBody(req: IncomingMessage, res: ServerResponse): void {
  awaited.add(req);
  if (req.headers.expect?.toLowerCase() === '100-continue' && !res.headersSent) res.writeContinue();
}

/** Sizes of the first and of the largest piece of memory, in bytes. Each piece is twice as large as the one before. */
const pieceBytes = { first: 4096, most: 1 << 20 } as const;

/** Collects a body in pieces of memory. The memory it uses does not depend on the size of its chunks. */
class Collected {
  readonly #share: BodyShare;
  readonly #expected: number;
  readonly #pieces: Buffer[] = [];
  /** Bytes received, and bytes of them in the last piece. */
  #size = 0;
  #filled = 0;

  /** @param expected maximum length in bytes */
  constructor(share: BodyShare, expected: number) {
    this.#share = share;
    this.#expected = expected;
  }

  /** Bytes received. */
  get size(): number {
    return this.#size;
  }

  /** @throws SVC-SRV-006 */
  append(chunk: Buffer): void {
    for (let rest = chunk; rest.length > 0; ) {
      const piece = this.#freePiece();
      const copied = rest.copy(piece, this.#filled);
      this.#filled += copied;
      this.#size += copied;
      rest = rest.subarray(copied);
    }
  }

  join(): Buffer {
    const pieces = this.#pieces;
    return pieces.length === 1 ? pieces[0]!.subarray(0, this.#size) : Buffer.concat(pieces, this.#size);
  }

  #freePiece(): Buffer {
    const last = this.#pieces.at(-1);
    if (last !== undefined && this.#filled < last.length) return last;
    const doubled = last === undefined ? pieceBytes.first : 2 * last.length;
    const length = Math.min(doubled, pieceBytes.most, this.#expected - this.#size);
    this.#share.take(length);
    const piece = Buffer.allocUnsafeSlow(length);
    this.#pieces.push(piece);
    this.#filled = 0;
    return piece;
  }
}

/**
 * Reads a request body into memory. A body that is too long is refused before the first read when its length
 * is announced, else at the byte that exceeds the limit. The connection of a client that sends less than the least progress
 * is closed.
 *
 * @param limit maximum length in bytes
 * @param share provides the memory as the body grows
 * @throws SVC-VAL-002; SVC-SRV-006 when the bodies of all requests take too much memory
 */
export async function readBody(
  req: IncomingMessage,
  res: ServerResponse,
  limit: number,
  share: BodyShare,
): Promise<Buffer> {
  const announced = Number(req.headers['content-length'] ?? 0);
  if (announced > limit) throw svcError('SVC-VAL-002', { limit });
  acceptBody(req, res);
  const collected = new Collected(share, announced > 0 ? announced : limit);
  using _pace = requireProgress(
    () => collected.size,
    () => req.destroy(),
  );
  // The stream must stay open after a refusal, otherwise the refusal could not be sent.
  for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    if (collected.size + chunk.length > limit) throw svcError('SVC-VAL-002', { limit });
    collected.append(chunk);
  }
  return collected.join();
}

/** Calls `onSlow` when less than the least progress was made. @param received returns the bytes so far */
function requireProgress(received: () => number, onSlow: () => void): Disposable {
  let before = 0;
  let isOver = false;
  const timer = setInterval(() => {
    // after the bytes that arrived while the process was busy have been read
    setImmediate(() => {
      if (!isOver && received() - before < leastProgress.bytes) onSlow();
      before = received();
    });
  }, leastProgress.milliseconds);
  timer.unref();
  return {
    [Symbol.dispose]: () => {
      isOver = true;
      clearInterval(timer);
    },
  };
}

/**
 * Lets a client that is still sending read the answer: its data is discarded for a moment, then the
 * connection is closed. Closing at once would reset the connection before the client has read the answer.
 */
export function lingerAfterRefusal(req: IncomingMessage, res: ServerResponse): void {
  if (req.complete || req.destroyed) return;
  const cut = (): void => {
    const timer = setTimeout(() => {
      if (!req.complete) req.destroy();
    }, 2000);
    timer.unref();
    req.once('end', () => clearTimeout(timer));
    req.resume();
  };
  if (res.writableFinished) cut();
  else res.once('finish', cut);
}
