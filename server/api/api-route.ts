import type { Authenticator } from '../../src/account/authenticate.ts';
import type { Identity, Role } from '../../src/account/model.ts';
import type { AuditAction, Report } from '../../src/base/report.ts';
import type { Holder } from '../../src/base/shares/shares.ts';
import type { Schema } from '../../src/contract/schema.ts';
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

/** One authorized and parsed request. */
export interface ApiCall extends ApiParts {
  readonly exchange: Exchange;
  readonly identity: Identity;
  /** Who holds what the request takes of a bounded resource. */
  readonly holder: Holder;
  /** Decoded path parameters. */
  readonly path: Readonly<Record<string, string>>;
  /** Checked query parameters. */
  readonly query: Readonly<Record<string, QueryValue>>;
  /** Checked body; `{}` when there was none. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /**
   * Fingerprint of the value that the form of a page showed and the request replaces; the request is refused
   * (SVC-SRV-007) once it is another one. Requests of the API have none.
   */
  readonly shown?: string | undefined;
}

export type ApiAnswer =
  | { readonly json: unknown }
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

interface RequestBody {
  readonly schema: Schema;
  /** Maximum size in bytes. Default: 1 MiB. */
  readonly limit?: number;
  readonly required?: boolean;
  /** Complete bodies by name, each with what it asks for. */
  readonly examples: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
}

/** What a client can do next with a value of the answer. */
export interface NextStep {
  /** Identifier of the operation. */
  readonly operation: string;
  readonly description: string;
  /** JSON pointers into the answer, by path parameter. */
  readonly parameters: Readonly<Record<string, string>>;
}

interface Success {
  readonly status: 200 | 201 | 204;
  readonly description: string;
  readonly schema?: Schema;
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
