import type { Authenticator } from '../../src/account/authenticate.ts';
import type { Identity, Role } from '../../src/account/model.ts';
import type { AuditAction, Report } from '../../src/base/report.ts';
import type { Holder } from '../../src/base/shares/shares.ts';
import type { Schema, TypeOf } from '../../src/contract/schema.ts';
import type { ErrorCode } from '../../src/text/errors/registry.ts';
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
type Nothing = Readonly<Record<never, never>>;

/** The parameters in braces of a path, by name. */
export type PathOf<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [N in Name]: string } & PathOf<Rest>
  : Nothing;

/** The values of declared query parameters, by name. */
export type QueryOf<Q extends readonly QueryParameter[]> = {
  readonly [P in Q[number] as P extends { readonly required: true } ? P['name'] : never]: TypeOf<P['schema']>;
} & {
  readonly [P in Q[number] as P extends { readonly required: true } ? never : P['name']]?:
    | TypeOf<P['schema']>
    | undefined;
};

/** One authorized and parsed request; the declaration of its route gives path, query and body their types. */
export interface ApiCall<P = Texts, Q = Query, B = Body> extends ApiParts {
  readonly exchange: Exchange;
  readonly identity: Identity;
  /** Who holds what the request takes of a bounded resource. */
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

export type ApiAnswer<A = unknown> =
  | { readonly json: A }
  | { readonly empty: true }
  | {
      readonly contentType: string;
      readonly content: string | AsyncIterable<Buffer>;
      readonly headers?: Readonly<Record<string, string>>;
    };

export interface QueryParameter {
  readonly name: string;
  readonly schema: Schema;
  readonly description: string;
  /** True: a request without the parameter is refused. Default: false. */
  readonly required?: boolean;
}

/** A query parameter of the API. */
export interface ApiParameter extends QueryParameter {
  /** A value as a client would send it. */
  readonly example: string | number | readonly string[];
}

interface RequestBody<B = unknown> {
  readonly schema: Schema<B>;
  /** Maximum size in bytes. Default: 1 MiB. */
  readonly limit?: number;
  readonly required?: boolean;
  /** Complete bodies by name, each with what it asks for. */
  readonly examples: Readonly<Record<string, { readonly summary: string; readonly value: NoInfer<B> }>>;
}

/** What a client can do next with a value of the answer. */
export interface NextStep {
  /** Identifier of the operation. */
  readonly operation: string;
  readonly description: string;
  /** JSON pointers into the answer, by path parameter. */
  readonly parameters: Readonly<Record<string, string>>;
}

interface Success<A = unknown> {
  readonly status: 200 | 201 | 204;
  readonly description: string;
  readonly schema?: Schema<A>;
  /** Accepted media types. Default: JSON. With another type, the schema describes text. */
  readonly contentTypes?: readonly string[];
  readonly next?: readonly NextStep[];
}

/**
 * One endpoint: the router, the role check, the validation and the OpenAPI document are derived from this
 * record.
 */
export interface ApiRoute {
  /** Name of the operation for generated clients. It never changes. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below `/api/v1`; `{repo}` matches several segments. */
  readonly path: string;
  /** Lowest role that may call the endpoint. */
  readonly floor: Role;
  /** Codes that the handler can throw. Those of the steps before it are added (`openapi/error-codes.ts`). */
  readonly errors: readonly ErrorCode[];
  readonly summary: string;
  readonly parameters?: readonly ApiParameter[];
  /** Request headers that the handler reads; a value it cannot read counts as absent. */
  readonly headers?: readonly ApiParameter[];
  readonly body?: RequestBody;
  /**
   * Action of the audit record for requests that fail validation. The handler audits valid requests itself.
   */
  readonly audit?: AuditAction;
  /** What that record says besides, where the handler's records say it of every attempt. */
  readonly describeAttempt?: (
    parts: Pick<ApiParts, 'store'>,
    identity: Identity,
  ) => { readonly target: string; readonly details: Readonly<Record<string, string>> };
  /** Clients poll it: the answer has an `ETag`, and an unchanged one is 304. */
  readonly polled?: true;
  readonly success: Success;
  readonly handler: (call: ApiCall) => Promise<ApiAnswer> | ApiAnswer;
}

/** A route with the types that its own declaration gives to its handler. */
interface TypedRoute<P extends string, Q extends readonly ApiParameter[], B, A>
  extends Omit<ApiRoute, 'path' | 'parameters' | 'body' | 'success' | 'handler'> {
  readonly path: P;
  readonly parameters?: Q;
  readonly body?: RequestBody<B>;
  readonly success: Success<A>;
  readonly handler: (
    call: ApiCall<PathOf<P>, QueryOf<Q>, B>,
  ) => Promise<ApiAnswer<NoInfer<A>>> | ApiAnswer<NoInfer<A>>;
}

/** Declares a route. Its path, parameters and body type the call of the handler, and its schema the answer. */
export function route<
  const P extends string,
  const Q extends readonly ApiParameter[] = readonly [],
  B = Nothing,
  A = never,
>(declared: TypedRoute<P, Q, B, A>): ApiRoute {
  // requests reach the handler after they were checked against this very declaration
  return declared as unknown as ApiRoute;
}
