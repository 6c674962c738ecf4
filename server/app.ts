import type { IncomingMessage, RequestListener } from 'node:http';
import { fromNodeHandler, H3 } from 'h3';
import { toNodeHandler } from 'h3/node';
import type { Report } from '../src/base/report.ts';
import { svcError } from '../src/text/error.ts';
import type { ToClientAddress, ToClientScheme } from './client-address.ts';
import { type Exchange, isFoldable, isHostilePath, toExchange } from './exchange.ts';
import { sendProblem } from './problem.ts';
import type { RefusalLog } from './refusal-log.ts';
import { sendWireError, toWireError } from './registry/wire-error.ts';
import type { Turns } from './shares/turns.ts';

/** Returns a promise only when it has to wait, and may throw at once. */
type SurfaceHandler = (exchange: Exchange) => void | Promise<void>;

interface AppParts {
  readonly registry: SurfaceHandler;
  readonly api: SurfaceHandler;
  readonly files: SurfaceHandler;
  readonly ui: SurfaceHandler;
  /** Sends the error of a request of the web interface that could not be handled. */
  readonly failUi: (error: unknown, exchange: Exchange) => void;
  readonly probes: Readonly<Record<'/healthz' | '/readyz' | '/metrics', SurfaceHandler>>;
  readonly report: Report;
  readonly refusals: Pick<RefusalLog, 'record'>;
  readonly toClientAddress: ToClientAddress;
  readonly toClientScheme: ToClientScheme;
  /** In which requests have their answers made; the surfaces take them. */
  readonly turns: Pick<Turns, 'end'>;
  /** Called after each answer with the status that was sent and the duration in milliseconds. */
  readonly observe: (exchange: Exchange, status: number, milliseconds: number) => void;
}

export interface App {
  readonly handler: RequestListener;
  readonly draining: boolean;
  /**
   * From now on answers only probes, pages and reading requests of the API; everything else is refused. Requests under way
   * continue.
   */
  drain(): void;
  /** Waits until no request is under way, or for `milliseconds`. Resolves to true when no request is left. */
  settled(milliseconds: number): Promise<boolean>;
  /** Requests under way, without probes. */
  readonly active: number;
}

/**
 * Whether a request only looks at the instance. It is answered until the instance has stopped: a reader sees the stop,
 * and a client that waits for a task its last state. Content is refused: its clients go to another instance, or wait.
 */
function isReadWhileDraining({ req: { method }, surface }: Exchange): boolean {
  return (method === 'GET' || method === 'HEAD') && (surface === 'ui' || surface === 'api');
}

const exchanges = new WeakMap<object, Exchange>();

/** Whether a body is announced where none has a meaning (RFC 9110, sections 9.3.1 and 9.3.2). */
function hasNeedlessBody({ method, headers }: IncomingMessage): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
}

/**
 * Builds the app from its surfaces. Registry and files are dispatched before the router. A router decodes a path and
 * resolves its dot segments, which would hide the path as sent from the parser of the surface. It also saves a pull the
 * cost of routing.
 */
export function createApp(parts: AppParts): App {
  let draining = false;
  let active = 0;
  const waiting = new Set<() => void>();

  const h3 = new H3({ silent: true, allowMalformedURL: true });
  const mount = (handler: SurfaceHandler) =>
    fromNodeHandler(async (req, res) => {
      // The router may have wrapped the request; the exchange was made from the raw one.
      const exchange = exchanges.get(req) ?? exchanges.get(res);
      if (exchange === undefined) throw new Error('a request without an exchange');
      await handler(exchange);
    });
  const unknown: SurfaceHandler = async (exchange) => {
    sendProblem(svcError('SVC-SRV-002', { path: exchange.path.slice(0, 512) }), exchange);
  };
  const api = mount(parts.api);
  h3.all('/api', api);
  h3.all('/api/**', api);
  for (const [path, handler] of Object.entries(parts.probes)) h3.all(path, mount(handler));
  h3.all('/**', mount(unknown));
  const route = toNodeHandler(h3);
  const routeExchange = async (exchange: Exchange): Promise<void> => {
    exchanges.set(exchange.req, exchange);
    exchanges.set(exchange.res, exchange);
    await route(exchange.req as never, exchange.res as never);
  };

  const dispatch: SurfaceHandler = (exchange) => {
    // a proxy that announces a body and does not send it lets the next request, another client's, be taken for it
    if (hasNeedlessBody(exchange.req)) exchange.res.setHeader('connection', 'close');
    if (draining && exchange.surface !== 'probe') {
      exchange.res.setHeader('connection', 'close');
      if (!isReadWhileDraining(exchange)) throw svcError('SVC-SRV-006', { reason: 'stopping' });
    }
    if (exchange.surface === 'registry') return parts.registry(exchange);
    if (exchange.surface === 'files') return parts.files(exchange);
    // the API decodes the slashes of a parameter itself
    const isHostile = exchange.surface === 'api' ? isFoldable : isHostilePath;
    if (isHostile(exchange.path)) throw svcError('SVC-SRV-002', { path: exchange.path.slice(0, 512) });
    if (exchange.surface === 'ui') return parts.ui(exchange);
    return routeExchange(exchange);
  };

  const fail = (error: unknown, exchange: Exchange): void => {
    if (exchange.surface === 'registry') sendWireError(toWireError(error), exchange);
    else if (exchange.surface === 'ui') parts.failUi(error, exchange);
    else sendProblem(error, exchange);
  };

  const handler: RequestListener = (req, res) => {
    const exchange = toExchange(req, res, parts);
    const started = performance.now();
    // a page that is read while the instance drains does not keep it from stopping
    const counted = exchange.surface !== 'probe' && !(draining && isReadWhileDraining(exchange));
    if (counted) active += 1;
    res.on('close', () => {
      parts.turns.end(exchange);
      // 499 is the usual status in access logs for a client that disconnects before it has its answer
      const status = res.writableFinished ? res.statusCode : 499;
      parts.observe(exchange, status, performance.now() - started);
      if (!counted) return;
      active -= 1;
      if (active === 0) for (const wake of waiting) wake();
    });
    const end = (): void => parts.turns.end(exchange);
    try {
      const answering = dispatch(exchange);
      if (answering === undefined) end();
      else answering.catch((error: unknown) => fail(error, exchange)).then(end);
    } catch (error) {
      fail(error, exchange);
      end();
    }
  };

  return {
    handler,
    get draining() {
      return draining;
    },
    get active() {
      return active;
    },
    drain: () => {
      draining = true;
    },
    settled: (milliseconds) =>
      new Promise((resolve) => {
        if (active === 0) return resolve(true);
        const wake = (): void => {
          clearTimeout(timer);
          waiting.delete(wake);
          resolve(active === 0);
        };
        const timer = setTimeout(wake, milliseconds);
        waiting.add(wake);
      }),
  };
}
