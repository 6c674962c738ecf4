import { ManifestError } from '../../src/oci/manifest.ts';
import { MissingBlobsError } from '../../src/store/missing-blobs.ts';
import { isSvcError, type SvcError } from '../../src/text/error.ts';
import { errorKinds } from '../../src/text/errors/codes.ts';
import { renderError } from '../../src/text/message.ts';
import { lingerAfterRefusal } from '../body.ts';
import type { Conceal } from '../conceal.ts';
import type { Exchange } from '../exchange.ts';
import type { Refusal } from '../refusal-log.ts';
import { baseHeaders } from './base-headers.ts';

/** Error codes of the OCI distribution specification 1.1. */
type WireCode =
  | 'BLOB_UNKNOWN'
  | 'BLOB_UPLOAD_INVALID'
  | 'BLOB_UPLOAD_UNKNOWN'
  | 'DENIED'
  | 'DIGEST_INVALID'
  | 'MANIFEST_BLOB_UNKNOWN'
  | 'MANIFEST_INVALID'
  | 'MANIFEST_UNKNOWN'
  | 'NAME_INVALID'
  | 'NAME_UNKNOWN'
  | 'SIZE_INVALID'
  | 'TOOMANYREQUESTS'
  | 'UNAUTHORIZED'
  | 'UNAVAILABLE'
  | 'UNKNOWN'
  | 'UNSUPPORTED';

interface WireEntry {
  readonly code: WireCode;
  readonly message: string;
  readonly detail?: unknown;
}

/** An error in the form of the Distribution specification. */
export class WireError extends Error {
  override name = 'WireError';
  readonly status: number;
  readonly errors: readonly WireEntry[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, errors: readonly WireEntry[], headers: Readonly<Record<string, string>> = {}) {
    super(errors[0]?.code);
    this.status = status;
    this.errors = errors;
    this.headers = headers;
  }
}

/** Makes an error with one entry. */
export function wireError(
  status: number,
  code: WireCode,
  message: string,
  detail?: unknown,
  headers?: Readonly<Record<string, string>>,
): WireError {
  return new WireError(status, [{ code, message, ...(detail === undefined ? {} : { detail }) }], headers);
}

function fromSvcError(error: SvcError): WireError {
  const { what } = renderError(error, 'en');
  const detail = { code: error.code, params: error.params };
  const answer = (status: number, code: WireCode, headers?: Record<string, string>) =>
    wireError(status, code, what, detail, headers);
  switch (error.code) {
    case 'SVC-AUTH-002':
    case 'SVC-AUTH-005':
      return answer(401, 'UNAUTHORIZED', { 'www-authenticate': 'Basic realm="svc", charset="UTF-8"' });
    case 'SVC-AUTH-012':
      return answer(429, 'TOOMANYREQUESTS', { 'retry-after': String(error.params.retryAfterSeconds ?? 30) });
    case 'SVC-SRV-006':
    case 'SVC-STO-014':
    case 'SVC-STO-019':
    case 'SVC-MED-033':
      return answer(503, 'UNAVAILABLE', { 'retry-after': '5' });
    case 'SVC-SIG-002':
      return answer(400, 'DIGEST_INVALID');
    case 'SVC-VAL-002':
    case 'SVC-STO-004':
    case 'SVC-STO-005':
      return answer(413, 'SIZE_INVALID');
    case 'SVC-REG-001':
      return answer(400, 'NAME_INVALID');
    case 'SVC-DST-001':
      return answer(400, 'NAME_INVALID');
    case 'SVC-SRV-001':
      return wireError(500, 'UNKNOWN', what);
    default: {
      const { class: kind, status } = errorKinds[error.code];
      if (kind === 'policy') return answer(403, 'DENIED');
      return answer(status, status >= 500 ? 'UNKNOWN' : 'DENIED');
    }
  }
}

/** Converts any thrown value into an error of the registry. */
export function toWireError(error: unknown): WireError {
  if (error instanceof WireError) return error;
  if (isSvcError(error)) return fromSvcError(error);
  if (error instanceof ManifestError) return wireError(400, 'MANIFEST_INVALID', error.message);
  if (error instanceof MissingBlobsError) {
    return new WireError(
      404,
      error.digests.map((digest) => ({
        code: 'MANIFEST_BLOB_UNKNOWN' as const,
        message: 'blob unknown to registry',
        detail: { digest },
      })),
    );
  }
  return wireError(500, 'UNKNOWN', 'internal error');
}

/** Converts an error into the refusal to log. A product error is logged under its own code. */
function toRefusal({ status, errors }: WireError): Refusal {
  const [first] = errors;
  const { code, params } = (first?.detail ?? {}) as { code?: string; params?: unknown };
  if (code !== undefined) return { code, status, params };
  return { code: first?.code ?? 'UNKNOWN', status, detail: first?.message, params: first?.detail };
}

/**
 * Sends an error. When the answer has begun, the connection is closed instead, so that the client detects
 * that the answer is incomplete.
 *
 * @param conceal replaces paths of the machine, which only the log contains
 */
export function sendWireError(error: WireError, exchange: Exchange, conceal: Conceal = (text) => text): void {
  const { req, res } = exchange;
  if (res.headersSent) {
    res.destroy();
    return;
  }
  // failures of the server are logged elsewhere
  if (error.status < 500) exchange.refuse(toRefusal(error));
  const body = Buffer.from(conceal(JSON.stringify({ errors: error.errors })));
  res.writeHead(error.status, {
    'content-type': 'application/json',
    'content-length': body.length,
    ...baseHeaders({ exchange }),
    ...error.headers,
  });
  lingerAfterRefusal(req, res);
  res.end(req.method === 'HEAD' ? undefined : body);
}
