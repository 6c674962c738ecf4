import { svcError } from '../../../../src/text/error.ts';
import { recipeWords } from '../../../../src/text/words/recipes.ts';
import { pagingParameters } from '../../../api/paging.ts';
import { recipeRoutes } from '../../../api/recipes.ts';
import { requireRecipeName } from '../../../views/show-recipe.ts';
import type { Page, PageCall, UiRoute } from '../../ui-route.ts';
import { showRecipeDocument } from './document.ts';
import { showRecipes } from './list.ts';
import { showRecipeMapping } from './mapping.ts';
import { showOneRecipe } from './show.ts';

const text = { type: 'string', maxLength: 512 } as const;

const versionParameters = [
  { name: 'version', schema: text, description: 'Version; default: the newest' },
  { name: 'cookbook', schema: text, description: 'Cookbook, where two have the version' },
] as const;

/** A name with a slash is that of no recipe: the page says so, where an unknown path would only not be found. */
const refuseName = ({ path }: PageCall): Page => {
  throw svcError('SVC-REG-005', { reference: requireRecipeName(path.repo!), local: 'store' });
};

export const recipePages: readonly UiRoute[] = [
  {
    method: 'GET',
    path: '/recipes',
    floor: 'viewer',
    title: recipeWords.title,
    parameters: [
      { name: 'q', schema: { type: 'string', maxLength: 256 }, description: 'Part of the name' },
      ...pagingParameters,
    ],
    page: showRecipes,
  },
  {
    method: 'GET',
    path: '/recipes/-/{name}',
    floor: 'viewer',
    title: recipeWords.recipe,
    parameters: versionParameters,
    page: showOneRecipe,
  },
  {
    method: 'GET',
    path: '/recipes/-/{name}/mapping',
    floor: 'viewer',
    title: recipeWords.mapping,
    parameters: recipeRoutes.find(({ path }) => path === '/recipes/{recipe}/mapping')?.parameters ?? [],
    page: showRecipeMapping,
  },
  {
    method: 'GET',
    path: '/recipes/-/{name}/document',
    floor: 'viewer',
    title: recipeWords.document,
    parameters: versionParameters,
    page: showRecipeDocument,
  },
  {
    method: 'GET',
    path: '/recipes/-/{repo}',
    floor: 'viewer',
    title: recipeWords.recipe,
    page: refuseName,
  },
];
