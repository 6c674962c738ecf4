import { once } from 'node:events';
import { hasRole } from '../../src/account/model.ts';
import { svcError } from '../../src/base/error.ts';
import { parseStrictJson, RepeatedMemberError } from '../../src/base/parse-json.ts';
import { readBody } from '../body.ts';
import { explainByMedium } from '../changed-medium.ts';
import { type Conceal, concealLines } from '../conceal.ts';
import { dataHeaders } from '../data-headers.ts';
import { isTagListed, toEtag } from '../etag.ts';
import { type Exchange, isFoldable } from '../exchange.ts';
import type { Identify } from '../identity.ts';
import { sendProblem } from '../problem.ts';
import type { BodyRoom, BodyShare } from '../shares/body-room.ts';
import { toHolder } from '../shares/holder.ts';
import type { Turns } from '../shares/turns.ts';
import type { ApiAnswer, ApiParts, ApiRoute } from './api-route.ts';
import { checkBody, compileRoutes, decodeParams, parseQuery, understand } from './parse-request.ts';

const base = '/api/v1';

const hasStraySlash = (params: Readonly<Record<string, string>>): boolean =>
  Object.entries(params).some(([name, value]) => name !== 'repo' && value.includes('/'));
const bodyLimit = 1_048_576;

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
      value = parseStrictJson(bytes);
    } catch (error) {
      const rule = error instanceof RepeatedMemberError ? error.message : 'is not JSON';
      throw svcError('SVC-VAL-001', { file, path: '/', rule });
    }
  }
  return checkBody(route, value);
}

async function send(
  answer: ApiAnswer,
  route: ApiRoute,
  exchange: Exchange,
  conceal: Conceal | undefined,
): Promise<void> {
  const { req, res } = exchange;
  const headers = {
    ...dataHeaders,
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
    const etag = route.polled ? toEtag(bytes) : undefined;
    if (etag !== undefined && isTagListed(req.headers['if-none-match'], etag)) {
      res.writeHead(304, { ...headers, etag });
      res.end();
      return;
    }
    res.writeHead(route.success.status, {
      ...headers,
      'content-type': 'json' in answer ? 'application/json' : answer.contentType,
      'content-length': bytes.length,
      ...(etag === undefined ? {} : { etag }),
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
  parts: ApiParts & {
    readonly identify: Identify;
    readonly bodies: BodyRoom;
    readonly turns: Pick<Turns, 'take'>;
  },
  routes: readonly ApiRoute[],
): (exchange: Exchange) => Promise<void> {
  const compiled = compileRoutes(routes);
  const { identify, bodies, turns } = parts;

  const answer = async (exchange: Exchange): Promise<void> => {
    const { req, res, path } = exchange;
    const unknown = () => svcError('SVC-SRV-002', { path: path.slice(0, 512) });
    if (!path.startsWith(`${base}/`) || path.length > 2048 || isFoldable(path)) throw unknown();
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
      const params = decodeParams(names, match);
      // generated clients encode the slashes of a repository; no other parameter has any
      if (params === undefined || hasStraySlash(params)) throw unknown();
      const demand = { floor: route.floor, session: route.method === 'GET' };
      const sender = await identify(exchange, demand);
      const { query, body } = await understand(route, exchange, sender, parts, async () => ({
        query: parseQuery(route, exchange.query),
        body:
          route.method === 'GET'
            ? {}
            : await parseBody(route, exchange, bodies.open(toHolder(sender, exchange.origin), exchange)),
      }));
      // the credential may have been revoked, or its role lowered, while the body was received
      const identity = route.method === 'GET' ? sender : await identify(exchange, demand);
      const holder = toHolder(identity, exchange.origin);
      await turns.take(holder, exchange);
      const gone = new AbortController();
      res.once('close', () => gone.abort());
      // only administrators see configured paths
      const conceal = hasRole(identity.role, 'admin') ? undefined : parts.conceal;
      const work = async (): Promise<ApiAnswer> =>
        route.handler({
          ...parts,
          exchange,
          identity,
          holder,
          path: params,
          query,
          body,
          signal: gone.signal,
        });
      // errors of the work are concealed; errors of the request are not, since they quote only what the
      // client sent
      const result = await work().catch((error: unknown) => {
        if (exchange.req.socket.destroyed) return undefined;
        sendProblem(explainByMedium(error, parts.gate), exchange, conceal);
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
      sendProblem(error, exchange);
    }
  };
}
