import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Which face of the listener a request came to; the closed set of the `surface` label. */
export type Surface = 'registry' | 'api' | 'files' | 'probe' | 'other';

/** One request with what every surface needs to know about it. */
export interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly surface: Surface;
  /** The path as it was sent, before any decoding; no query. */
  readonly path: string;
  /** The query as it was sent, without `?`. */
  readonly query: string;
  readonly correlationId: string;
  /** Address of the peer. Forwarding headers are never believed. */
  readonly origin: string;
}

const requestIdPattern = /^[A-Za-z0-9._-]{1,64}$/;
const prefix = randomBytes(6).toString('hex');
let counter = 0;

function toCorrelationId(header: string | string[] | undefined): string {
  if (typeof header === 'string' && requestIdPattern.test(header)) return header;
  counter += 1;
  return `${prefix}-${counter.toString(36)}`;
}

function toSurface(path: string): Surface {
  if (path === '/v2' || path.startsWith('/v2/')) return 'registry';
  if (path === '/api' || path.startsWith('/api/')) return 'api';
  if (path === '/files' || path.startsWith('/files/')) return 'files';
  if (path === '/healthz' || path === '/readyz' || path === '/metrics') return 'probe';
  return 'other';
}

/** Reads the outside of a request: surface, path, query, correlation id, origin. */
export function toExchange(req: IncomingMessage, res: ServerResponse): Exchange {
  const target = req.url ?? '/';
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  return {
    req,
    res,
    surface: toSurface(path),
    path,
    query: mark < 0 ? '' : target.slice(mark + 1),
    correlationId: toCorrelationId(req.headers['x-request-id']),
    origin: req.socket.remoteAddress ?? '',
  };
}

/**
 * Whether a path is one that no surface accepts: encoded or doubled slashes, dot segments, backslashes and control
 * characters would mean different things to different readers.
 */
export function isHostilePath(path: string): boolean {
  return !path.startsWith('/') || /\/\/|\\|%2f|%5c|%00|[\x00-\x20\x7f]|\/(?:\.|%2e){1,2}(?:\/|$)/i.test(path);
}
