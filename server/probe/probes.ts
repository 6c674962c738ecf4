import type { Report } from '../../src/base/report.ts';
import { svcError } from '../../src/text/error.ts';
import { dataHeaders } from '../data-headers.ts';
import type { Exchange } from '../exchange.ts';
import { sendProblem } from '../problem.ts';
import { toOriginHolder } from '../shares/holder.ts';
import type { Turns } from '../shares/turns.ts';
import type { Metrics } from './metrics.ts';
import type { Readiness } from './readiness.ts';
import { selectFormat } from './select-format.ts';

interface ProbeParts {
  readonly metrics: Metrics;
  readonly report: Report;
  readonly readiness: () => Promise<Readiness>;
  readonly turns: Pick<Turns, 'take'>;
}

type Handler = (exchange: Exchange) => Promise<void>;

interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string | Buffer;
  readonly vary?: string;
}

function send({ req, res }: Exchange, { status, contentType, body, vary }: Answer): void {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body);
  res.writeHead(status, {
    'content-type': contentType,
    'content-length': bytes.length,
    ...dataHeaders,
    ...(vary === undefined ? {} : { vary }),
  });
  res.end(req.method === 'HEAD' ? undefined : bytes);
}

const toJson = (status: number, body: object): Answer => ({
  status,
  contentType: 'application/json',
  body: `${JSON.stringify(body)}\n`,
});

/**
 * Makes the handlers of liveness, readiness and metrics. They are unauthenticated, so they contain public
 * information only.
 */
export function createProbes(parts: ProbeParts): Record<'/healthz' | '/readyz' | '/metrics', Handler> {
  const reading =
    (handler: (exchange: Exchange) => Promise<Answer>): Handler =>
    async (exchange) => {
      const { method } = exchange.req;
      if (method === 'GET' || method === 'HEAD') return send(exchange, await handler(exchange));
      sendProblem(svcError('SVC-SRV-004', { method: method ?? '', allow: ['GET', 'HEAD'] }), exchange);
    };
  return {
    '/healthz': reading(async () => toJson(200, { status: 'ok' })),
    '/readyz': reading(async () => {
      const { status, conditions } = await parts.readiness();
      const reasons = conditions.map(({ reason }) => reason);
      return toJson(status === 'ready' ? 200 : 503, { status, ...(reasons.length === 0 ? {} : { reasons }) });
    }),
    '/metrics': reading(async (exchange) => {
      await parts.turns.take(toOriginHolder(exchange.origin), exchange);
      const rendering = await parts.metrics.render(selectFormat(exchange.req.headers.accept));
      return { status: 200, ...rendering, vary: 'accept' };
    }),
  };
}
