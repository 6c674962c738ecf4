import type { Digest } from '../base/digest.ts';
import type { ErrorCode } from '../text/errors/registry.ts';
import type { Rule } from '../text/rule.ts';
import { explain } from './terms/terms.ts';

declare const values: unique symbol;
const target = Symbol('target');
const refusal = Symbol('refusal');
const wording = Symbol('wording');
const order = Symbol('order');

/** A JSON Schema (draft 2020-12) of values of type `T`, limited to the keywords that `checkValue` evaluates. */
export interface Schema<out T = unknown> {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly propertyNames?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly $ref?: string;
  readonly [keyword: string]: unknown;
  /** The type of the values; no schema has the member. */
  readonly [values]?: T;
  /** The schema to which `$ref` leads. */
  readonly [target]?: Schema;
  /** The code with which the operation itself refuses values that `pattern` and `const` exclude. */
  readonly [refusal]?: ErrorCode;
  /** A sentence that errors show in place of `pattern`. */
  readonly [wording]?: Rule;
}

/** The type of the values of a schema. */
export type TypeOf<S> = S extends Schema<infer T> ? T : never;

/** The members of an object, by name; a name that ends in `?` is optional. */
type Members = Readonly<Record<string, Schema>>;

type Flat<T> = { readonly [K in keyof T]: T[K] };

/** The type of an object with these members. */
export type ObjectOf<M> = Flat<
  { readonly [K in keyof M as K extends `${string}?` ? never : K]: TypeOf<M[K]> } & {
    readonly [K in keyof M as K extends `${infer Name}?` ? Name : never]?: TypeOf<M[K]> | undefined;
  }
>;

/** A schema of texts out of a closed list. */
export interface Choice<V extends string> extends Schema<V> {
  readonly enum: readonly V[];
}

/** A schema that documents name; elsewhere it is a reference by this name. */
export interface Component<T = unknown> extends Schema<T> {
  readonly $ref: string;
  readonly [target]: Schema<T>;
  /** Place among all components, in the order of their declaration. */
  readonly [order]: number;
}

export const string: Schema<string> = { type: 'string' };
export const boolean: Schema<boolean> = { type: 'boolean' };
export const integer: Schema<number> = {
  type: 'integer',
  format: 'int64',
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
};
export const timestamp: Schema<string> = { type: 'string', format: 'date-time' };
export const digest: Schema<Digest> = {
  type: 'string',
  pattern: '^(sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$',
};

/** A text that further keywords restrict. */
export function text(keywords: Omit<Schema<string>, 'type'>): Schema<string> {
  return { type: 'string', ...keywords };
}

/** A whole number that further keywords restrict. */
export function whole(keywords: Omit<Schema<number>, 'type'>): Schema<number> {
  return { type: 'integer', ...keywords };
}

/** One value. */
export function constant<const V extends string | boolean>(value: V): Schema<V> {
  return typeof value === 'string' ? { type: 'string', const: value } : { const: value };
}

/** A text out of a closed list, in a document that does not say that it is one. */
export function literals<const V extends string>(...values: readonly V[]): Choice<V> {
  return { enum: values };
}

/** A text out of a closed list. */
export function oneOf<const V extends string>(...values: readonly V[]): Choice<V> {
  return { type: 'string', enum: values };
}

/**
 * A text out of a closed list, with a description.
 *
 * @param what meaning of the value
 * @param values meaning of each value
 */
export function choice<V extends string>(
  what: string,
  values: Readonly<Record<V, string>>,
): Choice<V> & { readonly description: string } {
  const meanings = Object.entries(values).map(([value, meaning]) => `\`${value}\`: ${meaning}`);
  return { ...oneOf(...(Object.keys(values) as V[])), description: `${what}. ${meanings.join('; ')}` };
}

/** A schema with a description of its own; the name of a member gives it one otherwise. */
export function described<T>(description: string, schema: Schema<T>): Schema<T> {
  return { ...schema, description };
}

/**
 * A schema whose `pattern` or `const` `checkValue` leaves to the operation, which refuses other values with a code of its
 * own.
 */
export function refusedAs<T>(code: ErrorCode, schema: Schema<T>): Schema<T> {
  return { ...schema, [refusal]: code };
}

/**
 * The code with which the operation refuses values that `pattern` and `const` exclude; undefined: `checkValue` does.
 */
export function refusalOf(schema: Schema): ErrorCode | undefined {
  return schema[refusal];
}

/** Gives a schema a sentence that errors show in place of its `pattern`. */
export function worded<T>(rule: Rule, schema: Schema<T>): Schema<T> {
  return { ...schema, [wording]: rule };
}

/** The sentence of `worded`; undefined: errors show the pattern. */
export function wordingOf(schema: Schema): Rule | undefined {
  return schema[wording];
}

export function list<T>(items: Schema<T>): Schema<readonly T[]> {
  return { type: 'array', items };
}

/** Values by any name. */
export function mapOf<T>(values: Schema<T>): Schema<Readonly<Record<string, T>>> {
  return { type: 'object', additionalProperties: values };
}

/** A value of one of these schemas. */
export function anyOf<const S extends readonly Schema[]>(...schemas: S): Schema<TypeOf<S[number]>> {
  return { anyOf: schemas };
}

/**
 * Schema of an object with these members and no others. A name that ends in `?` is optional. A member without a
 * description gets the one of its name.
 */
export function object<const M extends Members>(members: M): Schema<ObjectOf<M>> {
  const properties: Record<string, Schema> = {};
  const required: string[] = [];
  for (const [name, schema] of Object.entries(members)) {
    const bare = name.endsWith('?') ? name.slice(0, -1) : name;
    const description = schema.description ?? explain(bare);
    properties[bare] = description === undefined ? schema : { ...schema, description };
    if (bare === name) required.push(name);
  }
  return {
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

const componentBase = '#/components/schemas/';

let components = 0;

/** Names a schema: documents have it once, and refer to it elsewhere. */
export function component<T>(name: string, schema: Schema<T>): Component<T> {
  components += 1;
  return { $ref: componentBase + name, [target]: schema, [order]: components };
}

const isComponent = (value: unknown): value is Component =>
  typeof value === 'object' && value !== null && order in value;

/** The schemas of the components that a module exports, by name, in the order of their declaration. */
export function listComponents(module: object): readonly (readonly [name: string, schema: Schema])[] {
  return Object.values(module)
    .filter(isComponent)
    .sort((a, b) => a[order] - b[order])
    .map((one) => [one.$ref.slice(componentBase.length), one[target]] as const);
}

/** The schema itself, where this is a reference. */
export function resolve(schema: Schema): Schema {
  return schema[target] ?? schema;
}

/**
 * Replaces references with the schemas that they name, for self-contained documents. The objects become open: a later
 * version may add members.
 */
export function inline(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(inline);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref, additionalProperties, ...rest } = schema as Schema;
  if ($ref !== undefined) {
    const { [target]: named, ...own } = rest;
    return { ...(inline(named) as object), ...own };
  }
  return Object.fromEntries(
    Object.entries(additionalProperties === false ? rest : schema).map(([key, value]) => [
      key,
      inline(value),
    ]),
  );
}
