import type { Digest } from '../../src/base/digest.ts';
import { type ListedRecipe, listRecipes } from '../../src/operation/list-recipes.ts';
import { nominalRepository } from '../../src/recipe/relocation.ts';
import { findDamage } from '../../src/view/recipe/damage.ts';
import type { Viewer, ViewParts } from './parts.ts';
import { listRuns } from './runs.ts';

/** How lost content comes again. */
export interface Mending {
  /** Whether a wanted recipe needs some of it: a synchronization fetches that. */
  readonly isWanted: boolean;
  /** References of the content that no wanted recipe needs: only an import brings it. */
  readonly unwanted: readonly string[];
}

type RunParts = Pick<ViewParts, 'store' | 'gate' | 'instance' | 'tasks'> & { readonly identity: Viewer };

const nameOf = ({ name, version }: Pick<ListedRecipe, 'name' | 'version'>): string => `${name}@${version}`;

/** Plans how the lost content of recipes comes again. Without a run, nobody knows which ones are wanted: all may be. */
export async function planMending(parts: RunParts, recipes: readonly ListedRecipe[]): Promise<Mending> {
  const { hitsVersion } = findDamage(parts);
  const { basePrefix } = parts.instance.context.config.storage;
  const last = (await listRuns(parts, parts.identity)).find((run) => run.recipes.length > 0);
  const wanted = last && new Set(last.recipes.map(nameOf));
  const [needed, others] = [new Set<string>(), new Set<string>()];
  for (const recipe of recipes) {
    const { digest, repository, tag, ingredients } = recipe;
    const into = (wanted?.has(nameOf(recipe)) ?? true) ? needed : others;
    if (hitsVersion(digest)) into.add(`${nominalRepository(repository, basePrefix)}:${tag}`);
    for (const one of ingredients) if (hitsVersion(one.digest)) into.add(`${one.ref}:${one.tag}`);
  }
  return { isWanted: needed.size > 0, unwanted: [...others].filter((each) => !needed.has(each)) };
}

/** The same of one version of a repository, which may belong to no recipe. */
export async function planVersionMending(
  parts: RunParts,
  { repository, tag, digest }: { readonly repository: string; readonly tag: string; readonly digest: Digest },
): Promise<Mending> {
  const { config } = parts.instance.context;
  const recipes = (await listRecipes(config, parts.store)).filter(
    (recipe) => recipe.digest === digest || recipe.ingredients.some((one) => one.digest === digest),
  );
  if (recipes.length > 0) return planMending(parts, recipes);
  return {
    isWanted: false,
    unwanted: [`${nominalRepository(repository, config.storage.basePrefix)}:${tag}`],
  };
}

/** The damage of the store, and the names of the recipes that have it: `<name>@<version>`. */
export interface DescribedDamage {
  readonly damaged: number;
  readonly damagedIn: readonly string[];
  readonly mending: Mending;
}

export async function describeDamage(parts: RunParts): Promise<DescribedDamage> {
  const { files, hitsRecipe } = findDamage(parts);
  if (files === 0) return { damaged: 0, damagedIn: [], mending: { isWanted: false, unwanted: [] } };
  const recipes = await listRecipes(parts.instance.context.config, parts.store);
  const hit = recipes.filter(hitsRecipe);
  return {
    damaged: files,
    damagedIn: [...new Set(hit.map(nameOf))],
    mending: await planMending(parts, hit),
  };
}
