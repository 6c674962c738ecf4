import { svcError } from '../../src/base/error.ts';
import { withoutCredentials } from '../../src/oci/reference.ts';
import { largestDocument } from '../views/plan.ts';
import { toReached } from '../views/reached.ts';
import type { ApiCall, ApiRoute } from './api-route.ts';
import { auditedRefusal } from './audited.ts';
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

/** @throws SVC-VAL-002 */
function toDocument(text: string): Buffer {
  const document = Buffer.from(text);
  if (document.length > largestDocument)
    throw svcError('SVC-VAL-002', { limit: largestDocument, file: 'document' });
  return document;
}

export const publishRoutes: readonly ApiRoute[] = [
  {
    method: 'POST',
    path: '/recipes/publish',
    floor: 'operator',
    summary: 'Publishes a recipe into a cookbook, of this registry or another',
    audit: 'recipe.publish',
    body: { schema: closed({ reference, document: string }), limit: 16_777_216, required: true },
    success: { status: 200, description: 'The published recipe', schema: ref('PublishedRecipe') },
    handler: async (call) => {
      const { operations, body, identity, exchange, signal } = call;
      const asked = String(body.reference);
      const document = await auditedRefusal(call, 'recipe.publish', withoutCredentials(asked), async () =>
        toDocument(String(body.document)),
      );
      return {
        json: await operations.publish({
          reference: asked,
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
