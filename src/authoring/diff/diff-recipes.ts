import { Once } from '../../base/once.ts';
import { Pacer, runInTurns } from '../../base/pacer.ts';
import type { RecipeDiff } from '../../contract/authoring.ts';
import { requireCookedSteps } from '../../recipe/document.ts';
import { type CloseSources, closeRecipe } from '../open/close-recipe.ts';
import type { OpenedRecipe } from '../open/open-recipe.ts';
import { type ComparedRecipe, diffRecipesSteps, mostListed } from './compare-recipes.ts';

async function close(
  { recipe, named, documentDigest, digest, open }: OpenedRecipe,
  known: CloseSources['known'],
  signal: AbortSignal | undefined,
): Promise<ComparedRecipe> {
  const sources = { open, known, mostFailures: mostListed, signal };
  const cooked = await runInTurns(requireCookedSteps(recipe, named));
  const ingredients = await closeRecipe(cooked, sources);
  return {
    metadata: recipe.metadata,
    documentDigest,
    digest,
    ingredients,
  };
}

/**
 * Compares two cooked recipes and measures the bytes that a place with the old one needs for the new one.
 *
 * @throws SVC-VAL-001 for a draft; the reason of the signal
 */
export async function diffRecipes(
  before: OpenedRecipe,
  after: OpenedRecipe,
  signal?: AbortSignal,
): Promise<RecipeDiff> {
  // content of two places may differ: only closures of one place are shared
  const known: CloseSources['known'] = new Once();
  const own: CloseSources['known'] = isSamePlace(before, after) ? known : new Once();
  const old = await close(before, known, signal);
  const now = await close(after, own, signal);
  return runInTurns(diffRecipesSteps(old, now), new Pacer(2));
}

/** Whether both are read from registries, or both from a store. */
function isSamePlace(a: OpenedRecipe, b: OpenedRecipe): boolean {
  return a.readsFrom === b.readsFrom;
}
