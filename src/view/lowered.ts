import type { LoweredRecipe } from '../contract/common.ts';
import type { ListedRecipe } from '../operation/list-recipes.ts';
import type { Run } from './runs.ts';

/**
 * Lists the recipes of which the source offered, at the last run that knew its recipes, a lower version than is here. A
 * version that was removed since is not here.
 *
 * @param runs finished runs, newest first
 * @param recipes that are here and served; names only while content is withheld
 */
export function listLoweredHere(
  runs: readonly Pick<Run, 'recipes'>[],
  recipes: readonly (ListedRecipe | Pick<ListedRecipe, 'name'>)[],
): readonly LoweredRecipe[] {
  const run = runs.find((each) => each.recipes.length > 0);
  return (run?.recipes ?? []).flatMap(({ name, cookbook, version, lowerThan }): readonly LoweredRecipe[] => {
    if (lowerThan === undefined) return [];
    const here = recipes.find(
      (each): each is ListedRecipe =>
        'version' in each &&
        each.name === name &&
        each.version === lowerThan &&
        (cookbook === undefined || each.cookbook === cookbook),
    );
    return here === undefined ? [] : [{ cookbook: here.cookbook, name, resolved: version, here: lowerThan }];
  });
}
