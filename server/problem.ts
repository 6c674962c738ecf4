import type { Problem } from '../src/contract/error.ts';
import { isSvcError, toErrorRecord, toSvcError } from '../src/text/error.ts';
import { errorKinds } from '../src/text/errors/codes.ts';
import { renderError, selectAcceptLanguage } from '../src/text/message.ts';
import { lingerAfterRefusal } from './body.ts';
import type { Conceal } from './conceal.ts';
import { dataHeaders } from './data-headers.ts';
import type { Exchange } from './exchange.ts';
import type { Refusal } from './refusal-log.ts';

/**
 * Renders an error as a problem document, in the language of `Accept-Language`. The technical detail of an
 * internal error is in the log only; the client gets the correlation id.
 */
function toProblem(error: unknown, acceptLanguage: string | undefined, correlationId: string): Problem {
  const record = toErrorRecord(error);
  const { what, cause, action } = renderError(record, selectAcceptLanguage(acceptLanguage));
  const isInternal = record.code === 'SVC-SRV-001';
  return {
    type: `/help#${record.code}`,
    title: what,
    status: errorKinds[record.code].status,
    ...(record.detail === undefined || isInternal ? {} : { detail: record.detail }),
    code: record.code,
    class: record.class,
    probable_cause: cause,
    action,
    correlation_id: correlationId,
    params: record.params,
    ...(isInternal ? {} : { rules: record.rules, detailRules: record.detailRules }),
  };
}

/** Headers that an error requires besides its body. */
export function toErrorHeaders(error: unknown, exchange: Exchange): Record<string, string> {
  const coded = toSvcError(error);
  switch (coded.code) {
    case 'SVC-AUTH-002':
    case 'SVC-AUTH-005':
      // With a session cookie, no challenge is sent: the browser would open its password dialog over the
      // page.
      return {
        'www-authenticate':
          exchange.req.headers.cookie === undefined || exchange.surface === 'files'
            ? 'Basic realm="svc", charset="UTF-8"'
            : 'Bearer realm="svc"',
      };
    case 'SVC-AUTH-012':
      return { 'retry-after': String(coded.params.retryAfterSeconds ?? 30) };
    case 'SVC-SRV-006':
    case 'SVC-STO-014':
    case 'SVC-STO-019':
    case 'SVC-STO-020':
    case 'SVC-MED-033':
    case 'SVC-TSK-002':
      return { 'retry-after': '5' };
    case 'SVC-SRV-004':
      return { allow: [coded.params.allow ?? []].flat().join(', ') };
    default:
      return {};
  }
}

/** The refusal or failure to log, an internal error with its stack. */
export function toLoggedRefusal(error: unknown): Refusal {
  const { code, params, detail } = toSvcError(error);
  const origin = isSvcError(error) ? (error.cause ?? error) : error;
  const stack = code === 'SVC-SRV-001' && origin instanceof Error ? origin.stack : undefined;
  return { code, status: errorKinds[code].status, params, detail, stack };
}

/**
 * Sends an error of the API as a problem document. Every error leaves the API here.
 *
 * @param conceal present when the client may not see paths of the machine
 */
export function sendProblem(error: unknown, exchange: Exchange, conceal: Conceal = (text) => text): void {
  const { req, res } = exchange;
  const refusal = toLoggedRefusal(error);
  if (res.headersSent) {
    // the client sees an answer that breaks off: why is in the log only
    if (refusal.status >= 500) exchange.refuse(refusal);
    res.destroy();
    return;
  }
  const language = req.headers['accept-language'];
  exchange.refuse(refusal);
  const problem = toProblem(error, language, exchange.correlationId);
  const body = Buffer.from(conceal(JSON.stringify(problem)));
  res.writeHead(problem.status, {
    'content-type': 'application/problem+json',
    'content-length': body.length,
    'content-language': selectAcceptLanguage(language),
    ...dataHeaders,
    'x-request-id': exchange.correlationId,
    vary: 'accept-language',
    ...toErrorHeaders(error, exchange),
  });
  lingerAfterRefusal(req, res);
  res.end(req.method === 'HEAD' ? undefined : body);
}
