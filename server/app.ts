import type { RequestListener } from 'node:http';
import { fromNodeHandler, H3 } from 'h3';
import { toNodeHandler } from 'h3/node';
import { svcError } from '../src/base/error.ts';
import type { Report } from '../src/base/report.ts';
import type { ToClientAddress } from './client-address.ts';
import { type Exchange, isHostilePath, toExchange } from './exchange.ts';
import { sendProblem } from './problem.ts';
import type { RefusalLog } from './refusal-log.ts';
import { sendWireError, toWireError } from './registry/wire-error.ts';

type SurfaceHandler = (exchange: Exchange) => Promise<void>;

interface AppParts {
  readonly registry: SurfaceHandler;
  readonly api: SurfaceHandler;
  readonly files: SurfaceHandler;
  readonly probes: Readonly<Record<'/healthz' | '/readyz' | '/metrics', SurfaceHandler>>;
  readonly report: Report;
  readonly refusals: Pick<RefusalLog, 'record'>;
  readonly toClientAddress: ToClientAddress;
  /** Told of every answer: milliseconds and the status that was sent. */
  readonly observe: (exchange: Exchange, status: number, milliseconds: number) => void;
}

export interface App {
  readonly handler: RequestListener;
  readonly draining: boolean;
  /** From now on only probes are answered; what is under way goes on. */
  drain(): void;
  /** Resolves when nothing is under way, or after that many milliseconds. True: nothing was left. */
  settled(milliseconds: number): Promise<boolean>;
  /** Requests under way, probes aside. */
  readonly active: number;
}

const exchanges = new WeakMap<object, Exchange>();

/**
 * Builds the app from its surfaces. Registry and files are asked before the router: a router's own idea of a path
 * (decoded, dot segments resolved) must not stand between a client and the parser of that surface, and a pull should
 * cost no more than it must.
 */
export function createApp(parts: AppParts): App {
  let draining = false;
  let active = 0;
  const waiting = new Set<() => void>();

  const h3 = new H3({ silent: true, allowMalformedURL: true });
  const mount = (handler: SurfaceHandler) =>
    fromNodeHandler(async (req, res) => {
      // The request may have been wrapped on its way here; the exchange was made from the raw one.
      const exchange = exchanges.get(req) ?? exchanges.get(res);
      if (exchange === undefined) throw new Error('a request without an exchange');
      await handler(exchange);
    });
  const unknown: SurfaceHandler = async (exchange) => {
    sendProblem(svcError('SVC-SRV-002', { path: exchange.path.slice(0, 512) }), exchange, parts.report);
  };
  const api = mount(parts.api);
  h3.all('/api', api);
  h3.all('/api/**', api);
  for (const [path, handler] of Object.entries(parts.probes)) h3.all(path, mount(handler));
  h3.all('/**', mount(unknown));
  const route = toNodeHandler(h3);

  const dispatch = async (exchange: Exchange): Promise<void> => {
    if (draining && exchange.surface !== 'probe') {
      exchange.res.setHeader('connection', 'close');
      throw svcError('SVC-SRV-006', {});
    }
    if (exchange.surface === 'registry') return parts.registry(exchange);
    if (exchange.surface === 'files') return parts.files(exchange);
    if (isHostilePath(exchange.path)) return unknown(exchange);
    await route(exchange.req as never, exchange.res as never);
  };

  const fail = (error: unknown, exchange: Exchange): void => {
    if (exchange.surface === 'registry') sendWireError(toWireError(error), exchange);
    else sendProblem(error, exchange, parts.report);
  };

  const handler: RequestListener = (req, res) => {
    const exchange = toExchange(req, res, parts);
    exchanges.set(req, exchange);
    exchanges.set(res, exchange);
    const started = performance.now();
    const counted = exchange.surface !== 'probe';
    if (counted) active += 1;
    res.once('close', () => {
      // 499, as others count it: the client left before it had its answer.
      const status = res.writableFinished ? res.statusCode : 499;
      parts.observe(exchange, status, performance.now() - started);
      if (!counted) return;
      active -= 1;
      if (active === 0) for (const wake of waiting) wake();
    });
    dispatch(exchange).catch((error: unknown) => fail(error, exchange));
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
