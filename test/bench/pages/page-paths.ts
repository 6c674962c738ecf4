import {
  countRecipes,
  recipeVersions,
  toPinnedRepositories,
  toRecipeName,
  toRecipeVersion,
} from '../large-recipes.ts';
import { countTasks, crowdedRepository, toRepositoryName } from '../large-store.ts';
import { toNewestSync, toTaskId } from '../large-tasks.ts';

/** Pages of the interface over the large store, by name: the address of the i-th request, each time another one. */
export function toPagePaths(repositories: number): Readonly<Record<string, (i: number) => string>> {
  const recipes = countRecipes(repositories);
  const tasks = countTasks(repositories);
  const repositoryOf = (i: number): string => toRepositoryName((i * 7919) % (repositories / 2));
  const recipeOf = (i: number): string => toRecipeName((i * 17) % recipes);
  const pages = Math.ceil(repositories / 50);
  return {
    overview: () => '/',
    content: () => '/content',
    'content-page': (i) => `/content?page=${1 + ((i * 31) % pages)}`,
    'content-search': (i) => `/content?q=service-${i % 100}&kind=ContainerImage`,
    'content-by-size': (i) => `/content?sort=size&page=${1 + ((i * 31) % pages)}`,
    folder: (i) => `/content?prefix=team-${i % 50}`,
    repository: (i) => `/content/${repositoryOf(i)}`,
    crowded: (i) => `/content/${crowdedRepository}?page=${1 + (i % 10)}`,
    version: (i) => `/content/${repositoryOf(i)}/-/tags/1.${recipeVersions + (i % 15)}.0`,
    'pinned-version': (i) => {
      const [pinned] = toPinnedRepositories((i * 17) % recipes, repositories);
      return `/content/${toRepositoryName(pinned!)}/-/tags/1.${i % recipeVersions}.0`;
    },
    tasks: (i) => `/tasks?page=${1 + (i % 10)}`,
    'tasks-search': (i) => `/tasks?q=service-${i}`,
    task: (i) => `/tasks/${toTaskId((i * 37) % tasks)}`,
    'task-largest': () => `/tasks/${toTaskId(toNewestSync(tasks))}`,
    recipes: (i) => `/recipes?page=${1 + (i % 2)}`,
    recipe: (i) => `/recipes/-/${recipeOf(i)}?version=${toRecipeVersion(i % recipeVersions)}`,
    mapping: (i) => `/recipes/-/${recipeOf(i)}/mapping`,
    search: (i) => `/search?q=service-${i % 100}`,
    store: () => '/admin/store',
  };
}

/** Pages with a section that the browser asks for again. */
export const polledPages = { overview: '/', tasks: '/tasks' } as const;
