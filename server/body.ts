import type { IncomingMessage, ServerResponse } from 'node:http';
import { svcError } from '../src/base/error.ts';

/** How long a peer may take between two reads of a body before the connection is given up, in milliseconds. */
const bodyStall = 60_000;

/** Says `100 Continue` where the client waits for it; call once, right before the body is read. */
export function acceptBody(req: IncomingMessage, res: ServerResponse): void {
  if (req.headers.expect?.toLowerCase() === '100-continue' && !res.headersSent) res.writeContinue();
}

/**
 * A request body in memory, at most `limit` bytes; a longer one is refused by its announced length before a byte is
 * read, or at the byte that exceeds it.
 *
 * @throws SVC-VAL-002
 */
export async function readBody(req: IncomingMessage, res: ServerResponse, limit: number): Promise<Buffer> {
  const announced = Number(req.headers['content-length'] ?? 0);
  if (announced > limit) throw svcError('SVC-VAL-002', { limit });
  acceptBody(req, res);
  const chunks: Buffer[] = [];
  let size = 0;
  req.setTimeout(bodyStall, () => req.destroy());
  try {
    // The stream must outlive a refusal, or the refusal could not be sent.
    for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limit) throw svcError('SVC-VAL-002', { limit });
      chunks.push(chunk);
    }
  } finally {
    req.setTimeout(0);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size);
}

/**
 * Lets a client that is still sending read the answer: what it sends is discarded for a moment, then the connection
 * goes. Closing at once would reset the connection under an answer it has not read yet.
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
