import type { RecipeRecord } from '../../src/store/model.ts';
import type { ApiCall, ApiRoute } from './api-route.ts';
import { ref } from './schema.ts';

/** What a carried store says of its recipes counts only for those that have been verified here; before, they have names. */
function listRecipes({ operations, gate }: ApiCall): readonly (RecipeRecord | Pick<RecipeRecord, 'name'>)[] {
  const recipes = operations.recipes();
  if (gate.refusal() !== undefined) return recipes.map(({ name }) => ({ name }));
  return recipes.filter(({ repository, tag }) => gate.allowsTag(repository, tag));
}

export const recipeRoutes: readonly ApiRoute[] = [
  {
    method: 'GET',
    path: '/recipes',
    floor: 'viewer',
    summary: 'Recipes in the store',
    success: { status: 200, description: 'The recipes', schema: ref('RecipeList') },
    handler: (call) => ({ json: { recipes: listRecipes(call) } }),
  },
];
