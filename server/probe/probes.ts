import { svcError } from '../../src/base/error.ts';
import type { Report } from '../../src/base/report.ts';
import type { Exchange } from '../exchange.ts';
import { sendProblem } from '../problem.ts';
import type { Metrics } from './metrics.ts';

interface ProbeParts {
  readonly metrics: Metrics;
  readonly report: Report;
  readonly isDraining: () => boolean;
  /** Reasons for attention although the instance is ready. */
  readonly reasons: () => readonly string[] | Promise<readonly string[]>;
}

type Handler = (exchange: Exchange) => Promise<void>;

function send(exchange: Exchange, status: number, contentType: string, body: string | Buffer): void {
  const { req, res } = exchange;
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body);
  res.writeHead(status, {
    'content-type': contentType,
    'content-length': bytes.length,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  res.end(req.method === 'HEAD' ? undefined : bytes);
}

/**
 * Makes the handlers of liveness, readiness and metrics. They are unauthenticated, so they contain public
 * information only.
 */
export function createProbes(parts: ProbeParts): Record<'/healthz' | '/readyz' | '/metrics', Handler> {
  const reading =
    (handler: Handler): Handler =>
    async (exchange) => {
      const { method } = exchange.req;
      if (method === 'GET' || method === 'HEAD') return handler(exchange);
      sendProblem(
        svcError('SVC-SRV-004', { method: method ?? '', allow: ['GET', 'HEAD'] }),
        exchange,
        parts.report,
      );
    };
  const json = 'application/json';
  return {
    '/healthz': reading(async (exchange) => send(exchange, 200, json, '{"status":"ok"}\n')),
    '/readyz': reading(async (exchange) => {
      if (parts.isDraining()) return send(exchange, 503, json, '{"status":"draining"}\n');
      const reasons = await parts.reasons();
      const body = reasons.length === 0 ? { status: 'ready' } : { status: 'ready', reasons };
      send(exchange, 200, json, `${JSON.stringify(body)}\n`);
    }),
    '/metrics': reading(async (exchange) => {
      const { contentType, body } = await parts.metrics.render();
      send(exchange, 200, contentType, body);
    }),
  };
}
