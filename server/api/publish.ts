import { recipePlace } from '../../src/contract/patterns.ts';
import { PublishedRecipe } from '../../src/contract/recipe.ts';
import { described, object, text } from '../../src/contract/schema.ts';
import { withoutCredentials } from '../../src/oci/reference.ts';
import { svcError } from '../../src/text/error.ts';
import { largestDocument } from '../views/plan.ts';
import { toReached } from '../views/reached.ts';
import { type ApiRoute, route } from './api-route.ts';
import { auditedRefusal } from './audited.ts';
import { changing, contacting } from './openapi/error-codes.ts';
import { exampleRecipe } from './openapi/example-documents.ts';

const reference = recipePlace;

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
  route({
    id: 'publishRecipe',
    method: 'POST',
    path: '/recipes/publish',
    floor: 'operator',
    errors: [
      ...contacting,
      ...changing,
      'SVC-POL-002',
      'SVC-POL-004',
      'SVC-POL-005',
      'SVC-DST-002',
      'SVC-DST-003',
      'SVC-DST-004',
    ],
    summary: 'Publishes a recipe into a cookbook, of this registry or another',
    audit: 'recipe.publish',
    body: {
      schema: object({
        reference,
        document: described('Recipe (YAML), at most 4 MiB', text({ minLength: 1 })),
      }),
      limit: 16_777_216,
      required: true,
      examples: {
        recipe: {
          summary: 'Publishes version 1.0.0 of a recipe',
          value: {
            reference: 'registry.example/cookbook/platform:1.0.0',
            document: exampleRecipe,
          },
        },
      },
    },
    success: { status: 200, description: 'The published recipe', schema: PublishedRecipe },
    handler: async (call) => {
      const { operations, body, identity, exchange, signal } = call;
      const document = await auditedRefusal(
        call,
        'recipe.publish',
        withoutCredentials(body.reference),
        async () => toDocument(body.document),
      );
      return {
        json: await operations.publish({
          reference: body.reference,
          document,
          hosts: toOwnHosts(call),
          actor: identity.actor,
          origin: exchange.origin,
          signal,
        }),
      };
    },
  }),
];
