import type { Identity } from '../../../src/account/model.ts';
import { checkValue, ofAddress } from '../../../src/contract/check-value.ts';
import type { PageField } from '../../../src/contract/operation.ts';
import type { Schema } from '../../../src/contract/schema.ts';
import { isSvcError, type SvcError, svcError, toSvcError } from '../../../src/text/error.ts';
import { fr } from '../../../src/text/language.ts';
import { type Rule, rule } from '../../../src/text/rule.ts';
import type { Exchange } from '../../exchange.ts';
import { decodeTreePath } from '../../files/parse-files-path.ts';
import type { ApiParts, ApiRoute, QueryValue } from '../api-route.ts';

/** A matcher of one path with its target. */
export interface Compiled<R> {
  readonly pattern: RegExp;
  readonly names: readonly string[];
  /** By method. */
  readonly routes: ReadonlyMap<string, R>;
}

/** Parameters that span segments. */
const spans: Readonly<Record<string, string>> = { repo: '(.+?)', file: '(.+)' };

/** Makes one matcher per path, in the order of the list; `{repo}` and `{file}` span segments, every other parameter is one. */
export function compileRoutes<R extends { readonly method: string; readonly path: string }>(
  routes: readonly R[],
): readonly Compiled<R>[] {
  const byPath = new Map<string, Map<string, R>>();
  for (const route of routes) {
    const methods = byPath.get(route.path) ?? new Map<string, R>();
    methods.set(route.method, route);
    byPath.set(route.path, methods);
  }
  return [...byPath].map(([path, methods]) => {
    const names: string[] = [];
    const source = path.replaceAll(/\{([a-z]+)\}|[.]/g, (found, name: string | undefined) => {
      if (name === undefined) return `\\${found}`;
      names.push(name);
      return spans[name] ?? '([^/]+)';
    });
    return { pattern: new RegExp(`^${source}$`), names, routes: methods };
  });
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/**
 * The decoded parameters of a path that matched; undefined when one is not valid percent-encoding. `file` is a path in a
 * FileSet, with one character for each byte.
 */
export function decodeParams(
  names: readonly string[],
  match: RegExpExecArray,
): Readonly<Record<string, string>> | undefined {
  const values = match.slice(1).map((text, i) => (names[i] === 'file' ? decodeTreePath(text) : decode(text)));
  if (values.includes(undefined)) return undefined;
  return Object.fromEntries(names.map((name, i) => [name, values[i]!]));
}

function toParameterValue(texts: readonly string[], schema: Schema): unknown {
  if (schema.type === 'array') return texts.map((text) => toParameterValue([text], schema.items ?? {}));
  const text = texts[0]!;
  if (schema.type === 'integer') return /^[0-9]{1,16}$/.test(text) ? Number(text) : text;
  return text;
}

const refuse = (name: string, broken: Rule) =>
  svcError('SVC-VAL-001', { file: ofAddress, path: `/${name.slice(0, 64)}`, rule: broken });

/**
 * Reads the declared parameters of a query and checks them.
 *
 * @throws SVC-VAL-001
 */
export function readParameters(
  fields: Readonly<Record<string, PageField>>,
  given: URLSearchParams,
): Record<string, QueryValue> {
  const query: Record<string, QueryValue> = {};
  for (const [name, { schema, required }] of Object.entries(fields)) {
    const texts = given.getAll(name);
    if (texts.length === 0) {
      if (required) throw refuse(name, rule(['is missing', fr`manque`]));
      continue;
    }
    if (texts.length > 1 && schema.type !== 'array')
      throw refuse(name, rule(['must be given once', fr`doit être donné une seule fois`]));
    const value = toParameterValue(texts, schema);
    checkValue(value, schema, `/${name}`, ofAddress);
    query[name] = value as QueryValue;
  }
  return query;
}

/** As `readParameters`, but for wrong parameters, which are left out: their errors, by name. */
export function readSoundParameters(
  fields: Readonly<Record<string, PageField>>,
  given: URLSearchParams,
): { readonly query: Record<string, QueryValue>; readonly wrong: Map<string, SvcError> } {
  const query: Record<string, QueryValue> = {};
  const wrong = new Map<string, SvcError>();
  for (const [name, field] of Object.entries(fields))
    try {
      Object.assign(query, readParameters({ [name]: field }, given));
    } catch (error) {
      if (!isSvcError(error, 'SVC-VAL-001')) throw error;
      wrong.set(name, error);
    }
  return { query, wrong };
}

/** As `readParameters`; an undeclared one is refused too. @throws SVC-VAL-001 */
export function parseQuery(route: ApiRoute, raw: string): Record<string, QueryValue> {
  const given = new URLSearchParams(raw);
  for (const name of given.keys())
    if (!Object.hasOwn(route.query, name))
      throw refuse(name, rule(['is not a known parameter', fr`n’est pas un paramètre connu`]));
  return readParameters(route.query, given);
}

/** The document of a member of a body in errors. */
export const ofBody = rule(['request body', fr`corps de la requête`]);

const nothing: Schema = { type: 'object', additionalProperties: false };

/** @throws SVC-VAL-001 when the body does not fit the schema of the route */
export function checkBody(route: ApiRoute, value: unknown): Record<string, unknown> {
  checkValue(value, route.body?.schema ?? nothing, '', ofBody);
  return value as Record<string, unknown>;
}

/** Reads a request for a route; an attempt that cannot be understood is audited where the route says so. */
export async function understand<T>(
  route: ApiRoute,
  { origin, correlationId, req, path }: Exchange,
  identity: Identity,
  parts: Pick<ApiParts, 'report' | 'store'>,
  read: () => T | Promise<T>,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (route.audit !== undefined) {
      // the body that names a better one was not read
      const request = `${req.method} ${path.slice(0, 512)}`;
      const { target = request, details: more } = route.describeAttempt?.(parts, identity) ?? {};
      const details = { ...more, code: toSvcError(error).code, correlationId };
      const { actor } = identity;
      parts.report.audit({ actor, action: route.audit, target, outcome: 'failure', origin, details });
    }
    throw error;
  }
}
