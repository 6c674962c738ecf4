import type { ApiRoute } from './api-route.ts';
import { ref } from './schema.ts';

export const recipeRoutes: readonly ApiRoute[] = [
  {
    method: 'GET',
    path: '/recipes',
    floor: 'viewer',
    summary: 'Recipes in the store',
    success: { status: 200, description: 'The recipes', schema: ref('RecipeList') },
    handler: ({ operations }) => ({ json: { recipes: operations.recipes() } }),
  },
];
