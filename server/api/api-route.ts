import type { Authenticator } from '../../src/account/authenticate.ts';
import type { Identity } from '../../src/account/model.ts';
import type { Details } from '../../src/base/details.ts';
import type { AuditAction, Report } from '../../src/base/report.ts';
import type { Holder } from '../../src/base/shares/shares.ts';
import type { Fields, Operation, PathOf, QueryOf } from '../../src/contract/operation.ts';
import type { Conceal } from '../conceal.ts';
import type { Exchange } from '../exchange.ts';
import type { ViewParts } from '../views/parts.ts';

/** Dependencies of the API handlers. */
export interface ApiParts extends ViewParts {
  /** Absent while authentication is disabled. */
  readonly authenticator: Authenticator | undefined;
  readonly report: Report;
  readonly conceal: Conceal;
}

export type QueryValue = string | number | readonly string[] | undefined;

export type Texts = Readonly<Record<string, string>>;
export type Query = Readonly<Record<string, QueryValue>>;
type Body = Readonly<Record<string, unknown>>;

/** One authorized and parsed request; the record of its operation gives path, query and body their types. */
export interface ApiCall<P = Texts, Q = Query, B = Body> extends ApiParts {
  readonly exchange: Exchange;
  readonly identity: Identity;
  /** The holder of the bounded resources that the request uses. */
  readonly holder: Holder;
  /** Decoded path parameters. */
  readonly path: P;
  /** Checked query parameters. */
  readonly query: Q;
  /** Checked body; `{}` when there was none. */
  readonly body: B;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /**
   * Fingerprint of the value that the form of a page showed and the request replaces; the request is refused
   * (SVC-SRV-007) once it is another one. Requests of the API have none.
   */
  readonly shown?: string | undefined;
}

/** Content that is made while it is sent, with a place for both. A request for the head alone needs none. */
interface PlacedContent {
  /** @throws SVC-SRV-006 when no place is free */
  readonly run: (send: (content: AsyncIterable<Buffer>) => Promise<void>) => Promise<void>;
}

export type ApiAnswer<A = unknown> =
  | { readonly json: A }
  | { readonly empty: true }
  /** The handler has sent it. */
  | { readonly sent: true }
  | {
      readonly contentType: string;
      readonly content: string | AsyncIterable<Buffer> | PlacedContent;
      readonly headers?: Readonly<Record<string, string>>;
    };

/** The additions of the server to the record of an operation for its audit log. */
interface Auditing {
  /**
   * Action of the audit record for requests that fail validation. The handler audits valid requests itself.
   */
  readonly audit?: AuditAction;
  /** Target and details of that record, where the handler's records have them for every attempt. */
  readonly describeAttempt?: (
    parts: Pick<ApiParts, 'store'>,
    identity: Identity,
  ) => { readonly target: string; readonly details: Details };
}

/** An operation with its handler. */
export interface ApiRoute extends Operation, Auditing {
  readonly handler: (call: ApiCall) => Promise<ApiAnswer> | ApiAnswer;
}

/** Gives an operation its handler. The record types the call of the handler, and its answer. */
export function route<P extends string, Q extends Fields, B, A>(
  operation: Operation<P, Q, B, A>,
  handler: (
    call: ApiCall<PathOf<P>, QueryOf<Q>, B>,
  ) => Promise<ApiAnswer<NoInfer<A>>> | ApiAnswer<NoInfer<A>>,
  auditing: Auditing = {},
): ApiRoute {
  // requests reach the handler after they were checked against this very record
  return { ...operation, ...auditing, handler: handler as ApiRoute['handler'] };
}
