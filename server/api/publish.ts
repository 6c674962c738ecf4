import { svcError } from '../../src/base/error.ts';
import { largestDocument } from '../views/plan.ts';
import { toReached } from '../views/reached.ts';
import type { ApiCall, ApiRoute } from './api-route.ts';
import { closed, ref, type Schema, string } from './schema.ts';

const reference: Schema = {
  type: 'string',
  minLength: 1,
  maxLength: 1024,
  pattern: '^[^/\\s@]+/[^\\s@:]+/[^\\s/@:]+:[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$',
};

/**
 * Lists the hosts under which the client knows this registry: the address that it reached, and its `Host`
 * header.
 */
function toOwnHosts(call: ApiCall): readonly string[] {
  const { host } = call.exchange.req.headers;
  return [toReached(call).host, ...(host === undefined ? [] : [host.toLowerCase()])];
}

export const publishRoutes: readonly ApiRoute[] = [
  {
    method: 'POST',
    path: '/recipes/publish',
    floor: 'operator',
    summary: 'Publishes a recipe into a cookbook, of this registry or another',
    body: { schema: closed({ reference, document: string }), limit: 16_777_216, required: true },
    success: { status: 200, description: 'The published recipe', schema: ref('PublishedRecipe') },
    handler: async (call) => {
      const { operations, body, identity, exchange, signal } = call;
      const document = Buffer.from(String(body.document));
      if (document.length > largestDocument)
        throw svcError('SVC-VAL-002', { limit: largestDocument, file: 'document' });
      return {
        json: await operations.publish({
          reference: String(body.reference),
          document,
          hosts: toOwnHosts(call),
          actor: identity.actor,
          origin: exchange.origin,
          signal,
        }),
      };
    },
  },
];
