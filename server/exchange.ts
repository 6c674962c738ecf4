import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Identity } from '../src/account/model.ts';
import type { ToClientAddress, ToClientScheme } from './client-address.ts';
import type { Refusal, RefusalLog } from './refusal-log.ts';
import type { Turn } from './shares/turns.ts';

/** Part of the listener that a request addresses; the values of the `surface` label. */
type Surface = 'registry' | 'api' | 'files' | 'probe' | 'ui' | 'other';

/** One request, with the values that every surface needs. */
export interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly surface: Surface;
  /** Path as sent, not decoded, without the query. */
  readonly path: string;
  /** Query as sent, without `?`. */
  readonly query: string;
  readonly correlationId: string;
  /** Address of the client: the peer, or the address that trusted proxies report. */
  readonly origin: string;
  /** By which the client reached the instance, or the trusted proxy in front of it. */
  readonly scheme: 'http' | 'https';
  /** The caller, once it is authenticated. */
  identity?: Identity | undefined;
  /** The turn of the request, once it has taken one. */
  turn?: Turn | undefined;
  /** Logs the reason of a refusal. Called before the refusal is sent. */
  refuse(refusal: Refusal): void;
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
  // kept for sign-in by other services
  if (path === '/auth' || path.startsWith('/auth/')) return 'other';
  return 'ui';
}

/**
 * Converts a request target in absolute form, as proxies send it, into origin form. Its authority replaces
 * the Host header (RFC 9112, section 3.2.2).
 */
function toOriginForm(req: IncomingMessage): void {
  const [, authority, rest = ''] = /^https?:\/\/([^/?#]+)(.*)$/i.exec(req.url ?? '') ?? [];
  if (authority === undefined) return;
  req.headers.host = authority.slice(authority.lastIndexOf('@') + 1);
  req.url = rest.startsWith('/') ? rest : `/${rest}`;
}

/** Makes the exchange of a request: surface, path, query, correlation id, origin. */
export function toExchange(
  req: IncomingMessage,
  res: ServerResponse,
  parts: {
    readonly toClientAddress: ToClientAddress;
    readonly toClientScheme: ToClientScheme;
    readonly refusals: Pick<RefusalLog, 'record'>;
  },
): Exchange {
  toOriginForm(req);
  const target = req.url ?? '/';
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const correlationId = toCorrelationId(req.headers['x-request-id']);
  const origin = parts.toClientAddress(req);
  const exchange: Exchange = {
    req,
    res,
    identity: undefined,
    turn: undefined,
    surface: toSurface(path),
    path,
    query: mark < 0 ? '' : target.slice(mark + 1),
    correlationId,
    origin,
    scheme: parts.toClientScheme(req),
    refuse: (refusal) =>
      parts.refusals.record(
        origin,
        refusal,
        { correlationId, method: req.method, path: path.slice(0, 512) },
        exchange.identity,
      ),
  };
  return exchange;
}

/** Whether a client left before its request was whole. Nothing failed: there is nobody to answer. */
export function isBrokenOff({ req }: Pick<Exchange, 'req'>): boolean {
  return !req.complete && (req.destroyed || req.socket.destroyed);
}

/** Whether nobody reads an answer any more. */
export function hasLeft(exchange: Pick<Exchange, 'req'>): boolean {
  return exchange.req.socket.destroyed || isBrokenOff(exchange);
}

/**
 * Whether no surface accepts a path: encoded or doubled slashes, dot segments, backslashes and control
 * characters are interpreted differently by different programs.
 */
export function isHostilePath(path: string): boolean {
  return isFoldable(path) || /%2f/i.test(path);
}

/** As `isHostilePath`, where a parameter of the path may contain encoded slashes. */
export function isFoldable(path: string): boolean {
  return !path.startsWith('/') || /\/\/|\\|%5c|%00|[\x00-\x20\x7f]|\/(?:\.|%2e){1,2}(?:\/|$)/i.test(path);
}

/** A signal that aborts when the client leaves before it has the whole answer. */
export function leavingSignal({ res }: Pick<Exchange, 'res'>): AbortSignal {
  const gone = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) gone.abort();
  });
  return gone.signal;
}
