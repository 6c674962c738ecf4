import type { IncomingMessage, ServerResponse } from 'node:http';
import { svcError } from '../src/base/error.ts';

/** Maximum time between two reads of a body, in milliseconds. The connection is closed after it. */
const bodyStall = 60_000;

const awaited = new WeakSet<IncomingMessage>();

/** Whether the body of a request is being read, or was. */
export function isBodyAwaited(req: IncomingMessage): boolean {
  return awaited.has(req);
}

/** Says `100 Continue` where the client waits for it; call once, right before the body is read. */
export function acceptBody(req: IncomingMessage, res: ServerResponse): void {
  awaited.add(req);
  if (req.headers.expect?.toLowerCase() === '100-continue' && !res.headersSent) res.writeContinue();
}

/**
 * Reads a request body into memory. A body that is too long is refused before the first read when its length
 * is announced, else at the byte that exceeds the limit.
 *
 * @param limit maximum length in bytes
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
    // The stream must stay open after a refusal, otherwise the refusal could not be sent.
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
