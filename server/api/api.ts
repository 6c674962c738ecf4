import { once } from 'node:events';
import { hasRole, type Identity } from '../../src/account/model.ts';
import { svcError, toSvcError } from '../../src/base/error.ts';
import { parseJson } from '../../src/base/parse-json.ts';
import { readBody } from '../body.ts';
import type { BodyRoom, BodyShare } from '../body-room.ts';
import { type Conceal, concealLines } from '../conceal.ts';
import { type Exchange, isHostilePath } from '../exchange.ts';
import type { Identify } from '../identity.ts';
import { sendProblem } from '../problem.ts';
import type { ApiAnswer, ApiCall, ApiParts, ApiRoute, QueryValue } from './api-route.ts';
import { checkValue, type Schema } from './schema.ts';

const base = '/api/v1';
const bodyLimit = 1_048_576;

interface Compiled {
  readonly pattern: RegExp;
  readonly names: readonly string[];
  readonly routes: ReadonlyMap<string, ApiRoute>;
}

/**
 * Compiles one matcher for each path, in the order of the list. `{repo}` matches several segments, any other
 * parameter one.
 */
function compile(routes: readonly ApiRoute[]): readonly Compiled[] {
  const byPath = new Map<string, Map<string, ApiRoute>>();
  for (const route of routes) {
    const methods = byPath.get(route.path) ?? new Map<string, ApiRoute>();
    methods.set(route.method, route);
    byPath.set(route.path, methods);
  }
  return [...byPath].map(([path, methods]) => {
    const names: string[] = [];
    const source = path.replaceAll(/\{([a-z]+)\}|[.]/g, (found, name: string | undefined) => {
      if (name === undefined) return `\\${found}`;
      names.push(name);
      return name === 'repo' ? '(.+?)' : '([^/]+)';
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

function toParameterValue(texts: readonly string[], schema: Schema): unknown {
  if (schema.type === 'array') return texts;
  const text = texts[0]!;
  if (schema.type === 'integer') return /^[0-9]{1,16}$/.test(text) ? Number(text) : text;
  return text;
}

function parseQuery(route: ApiRoute, raw: string): Record<string, QueryValue> {
  const given = new URLSearchParams(raw);
  const query: Record<string, QueryValue> = {};
  const refuse = (name: string, rule: string) =>
    svcError('SVC-VAL-001', { file: 'query', path: `/${name.slice(0, 64)}`, rule });
  const known = new Set(route.parameters?.map(({ name }) => name));
  for (const name of given.keys()) if (!known.has(name)) throw refuse(name, 'is not a known parameter');
  for (const { name, schema, required } of route.parameters ?? []) {
    const texts = given.getAll(name);
    if (texts.length === 0) {
      if (required) throw refuse(name, 'is missing');
      continue;
    }
    if (texts.length > 1 && schema.type !== 'array') throw refuse(name, 'must be given once');
    const value = toParameterValue(texts, schema);
    checkValue(value, schema, `/${name}`, 'query');
    query[name] = value as QueryValue;
  }
  return query;
}

async function parseBody(
  route: ApiRoute,
  exchange: Exchange,
  share: BodyShare,
): Promise<Record<string, unknown>> {
  const { req, res } = exchange;
  const file = 'request body';
  const bytes = await readBody(req, res, route.body?.limit ?? bodyLimit, share);
  let value: unknown = {};
  if (bytes.length > 0) {
    const contentType = req.headers['content-type'];
    const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
    if (type !== 'application/json' && !type.endsWith('+json')) {
      throw svcError('SVC-SRV-005', { contentType: contentType?.slice(0, 128) });
    }
    try {
      value = parseJson(bytes);
    } catch {
      throw svcError('SVC-VAL-001', { file, path: '/', rule: 'is not JSON' });
    }
  }
  const schema = route.body?.schema ?? { type: 'object', additionalProperties: false };
  checkValue(value, schema, '', file);
  return value as Record<string, unknown>;
}

async function send(
  answer: ApiAnswer,
  route: ApiRoute,
  exchange: Exchange,
  conceal: Conceal | undefined,
): Promise<void> {
  const { req, res } = exchange;
  const headers = {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': exchange.correlationId,
  };
  if ('empty' in answer) {
    res.writeHead(204, headers);
    res.end();
    return;
  }
  if ('json' in answer || typeof answer.content === 'string') {
    const text = 'json' in answer ? JSON.stringify(answer.json) : String(answer.content);
    const bytes = Buffer.from(conceal?.(text) ?? text);
    res.writeHead(route.success.status, {
      ...headers,
      'content-type': 'json' in answer ? 'application/json' : answer.contentType,
      'content-length': bytes.length,
      ...('json' in answer ? {} : answer.headers),
    });
    res.end(req.method === 'HEAD' ? undefined : bytes);
    return;
  }
  res.writeHead(route.success.status, {
    ...headers,
    'content-type': answer.contentType,
    ...answer.headers,
  });
  if (req.method === 'HEAD') {
    res.end();
    return;
  }
  for await (const chunk of conceal ? concealLines(answer.content, conceal) : answer.content) {
    if (res.destroyed) return;
    if (!res.write(chunk)) await Promise.race([once(res, 'drain'), once(res, 'close')]);
  }
  res.end();
}

/**
 * Makes the handler of the API: finds the route, authenticates the client, validates the request, calls the
 * handler of the route, and sends every error as a problem document. An unknown path is answered as unknown,
 * with or without credentials.
 */
export function createApi(
  parts: ApiParts & { readonly identify: Identify; readonly bodies: BodyRoom },
  routes: readonly ApiRoute[],
): (exchange: Exchange) => Promise<void> {
  const compiled = compile(routes);
  const { identify, bodies } = parts;

  const understand = async (
    route: ApiRoute,
    exchange: Exchange,
    { actor }: Identity,
  ): Promise<Pick<ApiCall, 'query' | 'body'>> => {
    try {
      const query = parseQuery(route, exchange.query);
      if (route.method === 'GET') return { query, body: {} };
      return { query, body: await parseBody(route, exchange, bodies.open(actor, exchange.res)) };
    } catch (error) {
      if (route.audit !== undefined) {
        const { origin, correlationId } = exchange;
        const details = { code: toSvcError(error).code, correlationId };
        parts.report.audit({ actor, action: route.audit, outcome: 'failure', origin, details });
      }
      throw error;
    }
  };

  const answer = async (exchange: Exchange): Promise<void> => {
    const { req, res, path } = exchange;
    const unknown = () => svcError('SVC-SRV-002', { path: path.slice(0, 512) });
    if (!path.startsWith(`${base}/`) || path.length > 2048 || isHostilePath(path)) throw unknown();
    const rest = path.slice(base.length);
    for (const { pattern, names, routes: methods } of compiled) {
      const match = pattern.exec(rest);
      if (match === null) continue;
      const method = req.method ?? 'GET';
      const route = methods.get(method === 'HEAD' ? 'GET' : method);
      if (route === undefined) {
        const allow = [...methods.keys()].flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name]));
        throw svcError('SVC-SRV-004', { method: method.slice(0, 32), allow });
      }
      const values = match.slice(1).map(decode);
      if (values.includes(undefined)) throw unknown();
      const identity = await identify(exchange, { floor: route.floor, session: route.method === 'GET' });
      const { query, body } = await understand(route, exchange, identity);
      const gone = new AbortController();
      res.once('close', () => gone.abort());
      // only administrators see configured paths
      const conceal = hasRole(identity.role, 'admin') ? undefined : parts.conceal;
      const work = async (): Promise<ApiAnswer> =>
        route.handler({
          ...parts,
          exchange,
          identity,
          path: Object.fromEntries(names.map((name, i) => [name, values[i]!])),
          query,
          body,
          signal: gone.signal,
        });
      // errors of the work are concealed; errors of the request are not, since they quote only what the
      // client sent
      const result = await work().catch((error: unknown) => {
        if (exchange.req.socket.destroyed) return undefined;
        sendProblem(error, exchange, parts.report, conceal);
        return undefined;
      });
      return result && send(result, route, exchange, conceal);
    }
    throw unknown();
  };

  return async (exchange) => {
    try {
      await answer(exchange);
    } catch (error) {
      if (exchange.req.socket.destroyed) return;
      sendProblem(error, exchange, parts.report);
    }
  };
}
