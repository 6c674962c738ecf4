import { svcError } from '../../src/base/error.ts';
import { type ClientKind, clientKinds, showClientConfig } from '../../src/view/client-config.ts';
import { listRecipes, showMapping } from '../../src/view/recipes.ts';
import { toReached } from '../views/reached.ts';
import type { ApiRoute } from './api-route.ts';
import { reading, showing } from './openapi/error-codes.ts';
import { registryAddress } from './patterns.ts';
import { list, ref } from './schema.ts';

const registryParameter = {
  name: 'registry',
  schema: registryAddress,
  description:
    'How nodes reach the registry, `[http://|https://]host[:port]`; default: the destination, else the host of this request',
  example: 'https://registry.example',
} as const;

export const recipeRoutes: readonly ApiRoute[] = [
  {
    id: 'listRecipes',
    method: 'GET',
    path: '/recipes',
    floor: 'viewer',
    errors: reading,
    summary: 'Recipes in the store',
    success: { status: 200, description: 'The recipes', schema: ref('RecipeList') },
    handler: async (call) => ({ json: { recipes: await listRecipes(call) } }),
  },
  {
    id: 'getRecipeMapping',
    method: 'GET',
    path: '/recipes/{recipe}/mapping',
    floor: 'viewer',
    errors: [...showing, 'SVC-DST-001'],
    summary: 'Locations of the ingredients of a recipe, and mirror configuration files for nodes',
    parameters: [registryParameter],
    success: { status: 200, description: 'The mapping', schema: ref('RecipeMapping') },
    handler: async (call) => ({
      json: await showMapping(call, {
        recipe: call.path.recipe ?? '',
        reached: toReached(call),
        registry: call.query.registry as string | undefined,
      }),
    }),
  },
  {
    id: 'getClientConfig',
    method: 'GET',
    path: '/clients/{client}',
    floor: 'viewer',
    errors: [...showing, 'SVC-DST-001'],
    summary:
      'Configuration files with which a client of the nodes finds the content under its nominal references',
    parameters: [
      {
        name: 'recipe',
        schema: list({ type: 'string', minLength: 1, maxLength: 128 }),
        description: 'Only these recipes, repeatable; default: every recipe',
        example: ['platform'],
      },
      registryParameter,
    ],
    success: { status: 200, description: 'The files', schema: ref('ClientConfig') },
    handler: async (call) => ({
      json: await showClientConfig(call, {
        client: parseClient(call.path.client),
        recipes: (call.query.recipe as readonly string[] | undefined) ?? [],
        reached: toReached(call),
        registry: call.query.registry as string | undefined,
      }),
    }),
  },
];

/** @throws SVC-VAL-001 */
function parseClient(text: string | undefined): ClientKind {
  const client = clientKinds.find((kind) => kind === text);
  if (client !== undefined) return client;
  throw svcError('SVC-VAL-001', {
    file: 'path',
    path: '/client',
    rule: `must be one of ${clientKinds.join(', ')}`,
  });
}
