import { svcError } from '../../../../src/text/error.ts';
import { recipeWords } from '../../../../src/text/words/recipes.ts';
import { registryParameter } from '../../../api/recipes.ts';
import { requireRecipeName } from '../../../views/show-recipe.ts';
import { page, type UiRoute } from '../../ui-route.ts';
import { showRecipeDocument } from './document.ts';
import { recipeFilters, showRecipes } from './list.ts';
import { showRecipeMapping } from './mapping.ts';
import { showOneRecipe, versionParameters } from './show.ts';

/** A name with a slash is that of no recipe: the page says so, where an unknown path would only not be found. */
const refuseName = (repo: string): never => {
  throw svcError('SVC-REG-005', { reference: requireRecipeName(repo), local: 'store' });
};

export const recipePages: readonly UiRoute[] = [
  page({
    method: 'GET',
    path: '/recipes',
    floor: 'viewer',
    title: recipeWords.title,
    parameters: recipeFilters,
    page: showRecipes,
  }),
  page({
    method: 'GET',
    path: '/recipes/-/{name}',
    floor: 'viewer',
    title: recipeWords.recipe,
    parameters: versionParameters,
    page: showOneRecipe,
  }),
  page({
    method: 'GET',
    path: '/recipes/-/{name}/mapping',
    floor: 'viewer',
    title: recipeWords.mapping,
    parameters: [registryParameter],
    page: showRecipeMapping,
  }),
  page({
    method: 'GET',
    path: '/recipes/-/{name}/document',
    floor: 'viewer',
    title: recipeWords.document,
    parameters: versionParameters,
    page: showRecipeDocument,
  }),
  page({
    method: 'GET',
    path: '/recipes/-/{repo}',
    floor: 'viewer',
    title: recipeWords.recipe,
    page: ({ path }) => refuseName(path.repo),
  }),
];
