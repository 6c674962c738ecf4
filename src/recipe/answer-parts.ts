import type { Ingredient, Recipe } from './model.ts';

/** Ingredients, and entries of their lists, that are passed on at once, which takes about a millisecond. */
const partWeight = 1000;

const weigh = ({ platforms, extract }: Ingredient): number =>
  1 + platforms.length + (extract?.paths.length ?? 0);

/** A result whose ingredients are passed on in parts: to receive all of them at once blocks the event loop. */
export interface DividedResult {
  readonly result: unknown;
  readonly parts: readonly (readonly Ingredient[])[];
}

/** The recipe that a result is, or that it has as a member. */
function recipeOf(result: unknown): Recipe | undefined {
  if (typeof result !== 'object' || result === null) return undefined;
  if ('ingredients' in result) return result as Recipe;
  return 'recipe' in result ? (result.recipe as Recipe | undefined) : undefined;
}

function withIngredients(result: unknown, ingredients: readonly Ingredient[]): unknown {
  const recipe = { ...recipeOf(result)!, ingredients };
  return 'ingredients' in (result as object) ? recipe : { ...(result as object), recipe };
}

/** Takes the ingredients of a large recipe out of a result. */
export function divideResult(result: unknown): DividedResult {
  const ingredients = recipeOf(result)?.ingredients ?? [];
  const parts: Ingredient[][] = [];
  let weight = Number.POSITIVE_INFINITY;
  for (const ingredient of ingredients) {
    if (weight >= partWeight) {
      parts.push([]);
      weight = 0;
    }
    parts.at(-1)!.push(ingredient);
    weight += weigh(ingredient);
  }
  if (parts.length <= 1) return { result, parts: [] };
  return { result: withIngredients(result, []), parts };
}

/** Puts the ingredients back. */
export function joinResult({ result, parts }: DividedResult): unknown {
  return parts.length === 0 ? result : withIngredients(result, parts.flat());
}
