import type { Identity } from '../../src/account/model.ts';
import { toGateError } from '../../src/base/gate-refusal.ts';
import { actors } from '../../src/base/report.ts';
import { isSvcError } from '../../src/text/error.ts';
import { explainByMedium } from '../changed-medium.ts';
import type { Conceal } from '../conceal.ts';
import { type Exchange, hasLeft, isHostilePath } from '../exchange.ts';
import type { Demand, Identify } from '../identity.ts';
import { toLoggedRefusal } from '../problem.ts';
import { toHolder } from '../shares/holder.ts';
import type { Turns } from '../shares/turns.ts';
import { baseHeaders } from './base-headers.ts';
import { removeManifest } from './delete-manifest.ts';
import { listReferrers } from './list-referrers.ts';
import { listCatalog, listTags } from './listings.ts';
import { pullBlob, removeBlob } from './pull-blob.ts';
import { pullManifest } from './pull-manifest.ts';
import { appendUpload, cancelUpload, closeUpload, openUpload, uploadStatus } from './push-blob.ts';
import { pushManifest } from './push-manifest.ts';
import type { RegistryCall, RegistryParts } from './registry-call.ts';
import { parseRegistryRoute, type RegistryRoute, type RouteRefusal } from './route.ts';
import { sendWireError, toWireError, type WireError, wireError } from './wire-error.ts';

function toRefusal(refusal: RouteRefusal): WireError {
  switch (refusal.refused) {
    case 'path':
      return wireError(404, 'UNSUPPORTED', 'no such path');
    case 'method':
      return wireError(405, 'UNSUPPORTED', 'method not allowed here', undefined, { allow: refusal.allow });
    case 'name':
      return wireError(400, 'NAME_INVALID', 'invalid repository name', { name: refusal.value.slice(0, 256) });
    case 'digest':
      return wireError(400, 'DIGEST_INVALID', 'the digest must be sha256:<64 hex> or sha512:<128 hex>', {
        digest: refusal.value.slice(0, 256),
      });
    case 'reference':
      return wireError(400, 'MANIFEST_INVALID', 'invalid tag', { reference: refusal.value.slice(0, 256) });
  }
}

const readDemand: Demand = { floor: 'viewer', session: false };
const writeDemand: Demand = { floor: 'operator', session: false };

function sendVersion(call: RegistryCall): void {
  const { req, res } = call.exchange;
  res.writeHead(200, { ...baseHeaders(call), 'content-type': 'application/json', 'content-length': 2 });
  res.end(req.method === 'HEAD' ? undefined : '{}');
}

function serve(call: RegistryCall, route: RegistryRoute): void | Promise<void> {
  const method = call.exchange.req.method;
  switch (route.to) {
    case 'version':
      return sendVersion(call);
    case 'catalog':
      return listCatalog(call);
    case 'tags':
      return listTags(call, route.repository);
    case 'referrers':
      return listReferrers(call, route.repository, route.digest);
    case 'blob':
      return method === 'DELETE'
        ? removeBlob(call, route.repository, route.digest)
        : pullBlob(call, route.repository, route.digest);
    case 'manifest':
      if (method === 'PUT') return pushManifest(call, route);
      return method === 'DELETE' ? removeManifest(call, route) : pullManifest(call, route);
    case 'uploads':
      return openUpload(call, route.repository);
    case 'upload':
      if (method === 'GET' || method === 'HEAD') return uploadStatus(call, route.repository, route.session);
      if (method === 'PATCH') return appendUpload(call, route.repository, route.session);
      if (method === 'PUT') return closeUpload(call, route.repository, route.session);
      return cancelUpload(call, route.repository, route.session);
  }
}

/** Whether an answer is made of content, and not only transferred. Writes are limited by their bodies and uploads. */
const isComputed = ({ to }: RegistryRoute, method: string | undefined): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  (to === 'manifest' || to === 'tags' || to === 'catalog' || to === 'referrers');

/**
 * Makes the registry surface: one function that handles every request below `/v2/`. Errors have the form of
 * the Distribution specification. Clients are authenticated before the route is looked at, so that an
 * unauthenticated client gets the challenge only. A request that waits for nothing is answered before the function
 * returns, without a promise.
 */
export function createRegistry(
  parts: RegistryParts & {
    readonly identify: Identify;
    readonly conceal: Conceal;
    readonly turns: Pick<Turns, 'take'>;
  },
): (exchange: Exchange) => void | Promise<void> {
  const { identify, gate, report, conceal, turns } = parts;
  const keepRefusal = (error: unknown, exchange: Exchange, actor: string): void => {
    if (!isSvcError(error) || !error.code.startsWith('SVC-POL-')) return;
    report.audit({
      actor,
      action: 'registry.access',
      target: `${exchange.req.method} ${exchange.path.slice(0, 512)}`,
      outcome: 'denied',
      origin: exchange.origin,
      details: { code: error.code, params: error.params, correlationId: exchange.correlationId },
    });
  };
  const fail = (thrown: unknown, exchange: Exchange, actor: string): void => {
    if (hasLeft(exchange)) return;
    const error = explainByMedium(thrown, gate);
    keepRefusal(error, exchange, actor);
    const answer = toWireError(error);
    if (answer.status >= 500) exchange.refuse(toLoggedRefusal(error));
    sendWireError(answer, exchange, conceal);
  };
  const begin = (exchange: Exchange, identity: Identity): void | Promise<void> => {
    const route = isHostilePath(exchange.path)
      ? ({ refused: 'path' } as const)
      : parseRegistryRoute(exchange.req.method ?? 'GET', exchange.path);
    if ('refused' in route) throw toRefusal(route);
    const refusal = route.to === 'version' ? undefined : gate.refusal();
    if (refusal !== undefined) throw toGateError(refusal);
    const call = { ...parts, exchange, identity };
    const waiting = isComputed(route, exchange.req.method)
      ? turns.take(toHolder(identity, exchange.origin), exchange)
      : undefined;
    return waiting === undefined ? serve(call, route) : waiting.then(() => serve(call, route));
  };
  const answer = (exchange: Exchange, identity: Identity): void | Promise<void> => {
    const failKnown = (error: unknown): void => fail(error, exchange, identity.actor);
    try {
      return begin(exchange, identity)?.catch(failKnown);
    } catch (error) {
      failKnown(error);
    }
  };
  return (exchange) => {
    const { method = 'GET' } = exchange.req;
    const demand = method === 'GET' || method === 'HEAD' ? readDemand : writeDemand;
    const failUnknown = (error: unknown): void => fail(error, exchange, actors.unauthenticated);
    try {
      const identity = identify(exchange, demand);
      if (!(identity instanceof Promise)) return answer(exchange, identity);
      return identity.then((found) => answer(exchange, found), failUnknown);
    } catch (error) {
      failUnknown(error);
    }
  };
}
