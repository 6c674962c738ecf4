import type { DocumentJob, JobResults } from './document-job.ts';
import type { Ingredient, Recipe } from './model.ts';

/** Ingredients, and entries of their lists, that are passed on at once, which takes about a millisecond. */
const partWeight = 1000;

const weigh = ({ platforms, extract }: Ingredient): number =>
  1 + platforms.length + (extract?.paths.length ?? 0);

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
  return { result: withIngredients(job, result, []), parts };
}

/** Puts the ingredients back. */
export function joinResult(job: DocumentJob['do'], { result, parts }: DividedResult): Result {
  return parts.length === 0 ? result : withIngredients(job, result, parts.flat());
}
