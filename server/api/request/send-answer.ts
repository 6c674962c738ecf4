import { createHash } from 'node:crypto';
import { toJsonPieces } from '../../../src/base/json/json-pieces.ts';
import { Pacer } from '../../../src/base/pacer.ts';
import { type Conceal, concealLines } from '../../conceal.ts';
import { dataHeaders } from '../../data-headers.ts';
import { isTagListed, toEtag } from '../../etag.ts';
import type { Exchange } from '../../exchange.ts';
import { sendParts } from '../../send-parts.ts';
import type { ApiAnswer, ApiRoute } from '../api-route.ts';

/** The answer of a route, and whom it is for. */
interface Sent {
  readonly route: ApiRoute;
  readonly exchange: Exchange;
  readonly conceal: Conceal | undefined;
}

type Headers = Readonly<Record<string, string | number>>;

/** Sends the answer of a route. A large one is made and sent in parts, as fast as the client reads them. */
export async function sendAnswer(answer: ApiAnswer, sent: Sent): Promise<void> {
  const { exchange, conceal, route } = sent;
  if ('sent' in answer) return;
  const { req, res } = exchange;
  const headers = { ...dataHeaders, 'x-request-id': exchange.correlationId };
  if ('empty' in answer) {
    res.writeHead(204, headers);
    res.end();
    return;
  }
  if ('json' in answer) return sendJson(answer.json, sent, headers);
  const typed = { ...headers, 'content-type': answer.contentType, ...answer.headers };
  if (typeof answer.content === 'string') {
    sendWhole(conceal?.(answer.content) ?? answer.content, sent, typed);
    return;
  }
  const { content } = answer;
  const send = (parts: AsyncIterable<Buffer>): Promise<void> => {
    res.writeHead(route.answer.status, typed);
    return sendParts(res, conceal ? concealLines(parts, conceal) : parts);
  };
  if (req.method === 'HEAD') {
    res.writeHead(route.answer.status, typed);
    res.end();
  } else if ('run' in content) await content.run(send);
  else await send(content);
}

async function sendJson(json: unknown, sent: Sent, headers: Headers): Promise<void> {
  const { route, exchange, conceal } = sent;
  const { req, res } = exchange;
  const typed = { ...headers, 'content-type': 'application/json' };
  const make = function* (): Generator<string> {
    for (const piece of toJsonPieces(json)) yield conceal?.(piece) ?? piece;
  };
  const pieces = make();
  const first = pieces.next().value as string;
  const second = pieces.next();
  if (second.done) {
    sendWhole(first, sent, typed);
    return;
  }
  // the pieces are made again to be sent: a large answer is never in memory as a whole
  const etag = route.polled ? await hashPieces(make()) : undefined;
  if (res.destroyed || sendUnchanged(sent, etag, headers)) return;
  res.writeHead(route.answer.status, { ...typed, ...(etag === undefined ? {} : { etag }) });
  if (req.method === 'HEAD') res.end();
  else await sendParts(res, make());
}

/** Sends a text that is in memory. */
function sendWhole(text: string, sent: Sent, headers: Headers): void {
  const { route, exchange } = sent;
  const { req, res } = exchange;
  const bytes = Buffer.from(text);
  const etag = route.polled ? toEtag(bytes) : undefined;
  if (sendUnchanged(sent, etag, headers)) return;
  res.writeHead(route.answer.status, {
    ...headers,
    'content-length': bytes.length,
    ...(etag === undefined ? {} : { etag }),
  });
  res.end(req.method === 'HEAD' ? undefined : bytes);
}

/** Answers 304 where the client has the answer. @returns whether it was answered */
function sendUnchanged({ exchange }: Sent, etag: string | undefined, typed: Headers): boolean {
  const { req, res } = exchange;
  if (etag === undefined || !isTagListed(req.headers['if-none-match'], etag)) return false;
  const { 'content-type': _, ...headers } = typed;
  res.writeHead(304, { ...headers, etag });
  res.end();
  return true;
}

async function hashPieces(pieces: Iterable<string>): Promise<string> {
  const pacer = new Pacer();
  const parts = createHash('sha256');
  for (const piece of pieces) {
    parts.update(piece);
    if (pacer.isDue()) await pacer.rest();
  }
  return toEtag(parts.digest());
}
