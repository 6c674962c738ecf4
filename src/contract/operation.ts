import type { ErrorCode } from '../text/errors/registry.ts';
import type { Sentence } from '../text/language.ts';
import type { Role } from './common.ts';
import type { Schema, TypeOf } from './schema.ts';

type Nothing = Readonly<Record<never, never>>;

/** A value of a query parameter or a header as a client would send it. */
type Example = string | number | readonly string[] | readonly number[];

/** A query parameter or a request header. It can become a flag of a command if its help is a pair. */
export interface Field<S extends Schema = Schema, H extends string | Sentence = string | Sentence> {
  readonly schema: S;
  /** Meaning in few words. English alone appears in the OpenAPI document only; a pair begins in lower case. */
  readonly help: H;
  readonly example: Example;
  /** Further English sentences for the OpenAPI document. */
  readonly details?: string;
  /** True: a request without it is refused. Default: false. */
  readonly required?: true;
}

/** The query parameters or headers of an operation, by name, in the order of the OpenAPI document. */
export type Fields = Readonly<Record<string, Field>>;

/** A query parameter of a page, which no document describes. */
export type PageField = Pick<Field, 'schema' | 'required'>;

/** Declares a query parameter or a header. */
export function field<const S extends Schema, const H extends string | Sentence>(
  schema: S,
  help: H,
  example: Example,
  details?: string,
): Field<S, H> {
  return { schema, help, example, ...(details === undefined ? {} : { details }) };
}

/** The parameters in braces of a path, by name. */
export type PathOf<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [N in Name]: string } & PathOf<Rest>
  : Nothing;

/** The values of declared query parameters, by name. */
export type QueryOf<Q extends Readonly<Record<string, PageField>>> = {
  readonly [N in keyof Q as Q[N] extends { readonly required: true } ? N : never]: TypeOf<Q[N]['schema']>;
} & {
  readonly [N in keyof Q as Q[N] extends { readonly required: true } ? never : N]?:
    | TypeOf<Q[N]['schema']>
    | undefined;
};

/** The parameters of a query that its reader has not named: with `satisfies`, a new one does not compile until it is read. */
export type NoMember = Readonly<Record<string, never>>;

interface RequestBody<B = unknown> {
  readonly schema: Schema<B>;
  /** Maximum size in bytes. Default: 1 MiB. */
  readonly limit?: number;
  readonly required?: boolean;
  /** Complete bodies by name, each with its effect. */
  readonly examples: Readonly<Record<string, { readonly summary: string; readonly value: NoInfer<B> }>>;
}

/** A step that a client can take next with a value of the answer. */
export interface NextStep {
  /** Identifier of the operation. */
  readonly operation: string;
  readonly description: string;
  /** JSON pointers into the answer, by path parameter. */
  readonly parameters: Readonly<Record<string, string>>;
}

interface Answer<A = unknown> {
  readonly status: 200 | 201 | 204;
  readonly description: string;
  readonly schema?: Schema<A>;
  /** Accepted media types. Default: JSON. With another type, the schema describes text. */
  readonly contentTypes?: readonly string[];
  /** A file of any content: conditions and ranges are answered (RFC 9110, sections 13 and 14). */
  readonly isFile?: true;
  readonly next?: readonly NextStep[];
}

/**
 * One operation of the API. Router, role check, validation, OpenAPI document, pages and the client of commands read this
 * record.
 */
export interface Operation<P extends string = string, Q extends Fields = Fields, B = unknown, A = unknown> {
  /** Name of the operation for generated clients. It never changes. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below `/api/v1`; `{repo}` matches several segments. */
  readonly path: P;
  /** Lowest role that may call the operation. */
  readonly floor: Role;
  /** Codes that the handler can throw. The server adds those of the steps before it. */
  readonly errors: readonly ErrorCode[];
  readonly summary: string;
  /** Clients poll it: the answer has an `ETag`, and an unchanged one is 304. */
  readonly polled?: true;
  readonly query: Q;
  /** Request headers that the handler reads; an unreadable value counts as absent. */
  readonly headers: Fields;
  readonly body?: RequestBody<B>;
  readonly answer: Answer<A>;
}

/** Declares an operation. Path, query and body type the request, and the schema of the answer types the answer. */
export function operation<const P extends string, const Q extends Fields = Nothing, B = Nothing, A = never>(
  declared: Omit<Operation<P, Q, B, A>, 'query' | 'headers'> & {
    readonly query?: Q;
    readonly headers?: Fields;
  },
): Operation<P, Q, B, A> {
  return { query: {} as Q, headers: {}, ...declared };
}

/** A query that names every parameter, so that a new one does not compile until each caller decides about it. */
export type NamedQuery<Q extends Fields> = { readonly [N in keyof Q]: QueryOf<Q>[N & keyof QueryOf<Q>] };

/** A request of a client. */
export type RequestOf<P extends string, Q extends Fields, B> = (keyof PathOf<P> extends never
  ? unknown
  : { readonly path: PathOf<P> }) &
  (keyof Q extends never ? unknown : { readonly query: NamedQuery<Q> }) & { readonly body?: B };
