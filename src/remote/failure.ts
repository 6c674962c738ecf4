import { isSvcError, type SvcError, svcError } from '../base/error.ts';
import { markTransient } from './transience.ts';

const passing = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EAI_AGAIN',
  'UND_ERR_SOCKET',
  'UND_ERR_CLOSED',
  'UND_ERR_DESTROYED',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

function codesOf(error: unknown): readonly string[] {
  if (error instanceof AggregateError) return error.errors.flatMap(codesOf);
  if (!(error instanceof Error)) return [];
  const code: unknown = (error as NodeJS.ErrnoException).code;
  return [...(typeof code === 'string' ? [code] : []), ...codesOf(error.cause)];
}

function isPassing(error: unknown): boolean {
  const codes = codesOf(error);
  return codes.some((code) => passing.has(code));
}

function toDetail(error: unknown): string {
  const codes = codesOf(error);
  if (codes.includes('UND_ERR_HEADERS_TIMEOUT') || codes.includes('UND_ERR_BODY_TIMEOUT'))
    return 'no byte arrived in time';
  const message = error instanceof Error ? error.message : String(error);
  return [...new Set([...codes, message])].filter((part) => part !== '').join(': ') || 'connection failed';
}

/** A host could not be reached or did not answer. */
export function toUnreachable(error: unknown, host: string): SvcError {
  if (isSvcError(error)) return error;
  const coded = svcError('SVC-REG-002', { host, detail: toDetail(error) }, { cause: error });
  return isPassing(error) ? markTransient(coded) : coded;
}

/** The forward proxy could not be used. */
export function toProxyFailure(error: unknown, proxy: URL): SvcError {
  if (isSvcError(error)) return error;
  const coded = svcError('SVC-NET-001', { proxy: proxy.host, detail: toDetail(error) }, { cause: error });
  return isPassing(error) ? markTransient(coded) : coded;
}

/** A transfer under way broke off. */
export function toBrokenTransfer(error: unknown, reference: string): SvcError {
  if (isSvcError(error)) return error;
  return markTransient(svcError('SVC-REG-007', { reference, detail: toDetail(error) }, { cause: error }));
}
