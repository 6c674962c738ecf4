import { hasRole } from '../../src/account/model.ts';
import { parseStrictJsonInTurns } from '../../src/base/json/json-steps.ts';
import { RepeatedMemberError } from '../../src/base/json/parse-json.ts';
import { svcError } from '../../src/text/error.ts';
import { fr } from '../../src/text/language.ts';
import { rule } from '../../src/text/rule.ts';
import { readBody } from '../body.ts';
import { explainByMedium } from '../changed-medium.ts';
import { type Exchange, hasLeft, isFoldable, leavingSignal } from '../exchange.ts';
import type { Identify } from '../identity.ts';
import { sendProblem } from '../problem.ts';
import type { BodyRoom, BodyShare } from '../shares/body-room.ts';
import { toHolder } from '../shares/holder.ts';
import type { Turns } from '../shares/turns.ts';
import type { ApiAnswer, ApiParts, ApiRoute } from './api-route.ts';
import { checkBody, compileRoutes, decodeParams, parseQuery, understand } from './request/parse-request.ts';
import { sendAnswer } from './request/send-answer.ts';

const base = '/api/v1';

const hasStraySlash = (params: Readonly<Record<string, string>>): boolean =>
  Object.entries(params).some(([name, value]) => name !== 'repo' && name !== 'file' && value.includes('/'));
const bodyLimit = 1_048_576;

async function parseBody(
  route: ApiRoute,
  exchange: Exchange,
  share: BodyShare,
): Promise<Record<string, unknown>> {
  const { req, res } = exchange;
  const file = rule(['request body', fr`corps de la requête`]);
  const bytes = await readBody(req, res, route.body?.limit ?? bodyLimit, share);
  let value: unknown = {};
  if (bytes.length > 0) {
    const contentType = req.headers['content-type'];
    const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
    if (type !== 'application/json' && !type.endsWith('+json')) {
      throw svcError('SVC-SRV-005', { contentType: contentType?.slice(0, 128) });
    }
    try {
      value = await parseStrictJsonInTurns(bytes);
    } catch (error) {
      const broken =
        error instanceof RepeatedMemberError ? error.rule : rule(['is not JSON', fr`n’est pas du JSON`]);
      throw svcError('SVC-VAL-001', { file, path: '/', rule: broken });
    }
  }
  return checkBody(route, value);
}

/**
 * Makes the handler of the API. It finds the route, authenticates the client, validates the request, and calls the
 * handler of the route. Every error is sent as a problem document. An unknown path is answered as unknown, with or
 * without credentials.
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
    const { req, path } = exchange;
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
          signal: leavingSignal(exchange),
        });
      // errors of the work are concealed; errors of the request are not, since they quote only the
      // request itself
      const result = await work().catch((error: unknown) => {
        if (hasLeft(exchange)) return undefined;
        sendProblem(explainByMedium(error, parts.gate), exchange, conceal);
        return undefined;
      });
      return result && sendAnswer(result, { route, exchange, conceal });
    }
    throw unknown();
  };

  return async (exchange) => {
    try {
      await answer(exchange);
    } catch (error) {
      if (hasLeft(exchange)) return;
      sendProblem(error, exchange);
    }
  };
}
