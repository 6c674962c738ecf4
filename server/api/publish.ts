import * as api from '../../src/contract/operations/recipes.ts';
import { withoutCredentials } from '../../src/oci/reference.ts';
import { svcError } from '../../src/text/error.ts';
import { largestDocument } from '../views/plan.ts';
import { toReached } from '../views/reached.ts';
import { type ApiRoute, route } from './api-route.ts';
import { auditedRefusal } from './audited.ts';

/**
 * Lists the hosts under which the client knows this registry: the address that it reached, and its `Host`
 * header.
 */
function toOwnHosts(call: Parameters<typeof toReached>[0]): readonly string[] {
  const { host } = call.exchange.req.headers;
  return [toReached(call).host, ...(host === undefined ? [] : [host.toLowerCase()])];
}

/** @throws SVC-VAL-002 */
function toDocument(text: string): Buffer {
  const document = Buffer.from(text);
  if (document.length > largestDocument)
    throw svcError('SVC-VAL-002', { limit: largestDocument, file: 'document' });
  return document;
}

export const publishRoutes: readonly ApiRoute[] = [
  route(
    api.publishRecipe,
    async (call) => {
      const { instance, operations, body, identity, exchange, signal } = call;
      const document = await auditedRefusal(
        call,
        'recipe.publish',
        withoutCredentials(body.reference),
        async () => toDocument(body.document),
      );
      return {
        json: await operations.publishRecipe(instance.context, {
          reference: body.reference,
          document,
          file: 'document',
          own: { store: instance.store, hosts: toOwnHosts(call) },
          actor: identity.actor,
          origin: exchange.origin,
          signal,
        }),
      };
    },
    { audit: 'recipe.publish' },
  ),
];
