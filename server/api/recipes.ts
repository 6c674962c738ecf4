import * as api from '../../src/contract/operations/recipes.ts';
import { listRecipes, showMapping } from '../../src/view/recipes.ts';
import { toReached } from '../views/reached.ts';
import { type ApiRoute, route } from './api-route.ts';

export const recipeRoutes: readonly ApiRoute[] = [
  route(api.listRecipes, async (call) => ({ json: { recipes: await listRecipes(call, call.query) } })),
  route(api.getRecipeMapping, async (call) => ({
    json: await showMapping(call, {
      recipe: call.path.recipe,
      reached: toReached(call),
      registry: call.query.registry,
    }),
  })),
];
