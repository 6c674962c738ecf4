import type { DocumentJob, JobResults } from './document-job.ts';
import type { Ingredient, Recipe } from './model.ts';

/** Ingredients that are passed on at once, which takes about a millisecond. */
const partLength = 1000;

/** A result whose ingredients are passed on in parts: to receive all of them at once blocks the event loop. */
export interface DividedResult {
  readonly result: JobResults[keyof JobResults];
  readonly parts: readonly (readonly Ingredient[])[];
}

type Result = JobResults[keyof JobResults];

function recipeOf(job: DocumentJob['do'], result: Result): Recipe | undefined {
  if (job === 'recipe') return result as Recipe;
  return job === 'edit' || job === 'lint' ? (result as JobResults['edit' | 'lint']).recipe : undefined;
}

function withIngredients(
  job: DocumentJob['do'],
  result: Result,
  ingredients: readonly Ingredient[],
): JobResults[keyof JobResults] {
  const recipe = { ...recipeOf(job, result)!, ingredients };
  return job === 'recipe' ? recipe : { ...(result as JobResults['edit' | 'lint']), recipe };
}

/** Takes the ingredients of a large recipe out of a result. */
export function divideResult(job: DocumentJob['do'], result: Result): DividedResult {
  const ingredients = recipeOf(job, result)?.ingredients ?? [];
  if (ingredients.length <= partLength) return { result, parts: [] };
  const parts = Array.from({ length: Math.ceil(ingredients.length / partLength) }, (_, i) =>
    ingredients.slice(i * partLength, (i + 1) * partLength),
  );
  return { result: withIngredients(job, result, []), parts };
}

/** Puts the ingredients back. */
export function joinResult(job: DocumentJob['do'], { result, parts }: DividedResult): Result {
  return parts.length === 0 ? result : withIngredients(job, result, parts.flat());
}
