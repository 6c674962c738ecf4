import { registryAddress } from '../../src/contract/patterns.ts';
import { RecipeList, RecipeMapping } from '../../src/contract/recipe.ts';
import { listRecipes, showMapping } from '../../src/view/recipes.ts';
import { toReached } from '../views/reached.ts';
import { type ApiRoute, route } from './api-route.ts';
import { reading, showing } from './openapi/error-codes.ts';

export const registryParameter = {
  name: 'registry',
  schema: registryAddress,
  description:
    'How nodes reach the registry, `[http://|https://]host[:port]`; default: the destination, else the host of this request',
  example: 'https://registry.example',
} as const;

export const recipeRoutes: readonly ApiRoute[] = [
  route({
    id: 'listRecipes',
    method: 'GET',
    path: '/recipes',
    floor: 'viewer',
    errors: reading,
    summary: 'Recipes in the store',
    success: { status: 200, description: 'The recipes', schema: RecipeList },
    handler: async (call) => ({ json: { recipes: await listRecipes(call) } }),
  }),
  route({
    id: 'getRecipeMapping',
    method: 'GET',
    path: '/recipes/{recipe}/mapping',
    floor: 'viewer',
    errors: [...showing, 'SVC-DST-001'],
    summary: 'Locations of the ingredients of a recipe, and mirror configuration files for nodes',
    parameters: [registryParameter],
    success: { status: 200, description: 'The mapping', schema: RecipeMapping },
    handler: async (call) => ({
      json: await showMapping(call, {
        recipe: call.path.recipe,
        reached: toReached(call),
        registry: call.query.registry,
      }),
    }),
  }),
];
