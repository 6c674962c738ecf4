import type { Task, TaskItem, TaskResolution } from '../../contract/task.ts';
import { type SvcError, selectPrincipal, toErrorRecord } from '../../text/error.ts';
import { nameRecipes } from './name-recipes.ts';
import type { PlannedRecipeWork, PlannedWork } from './plan-sync.ts';

/** The work of a recipe, and the names of its items in the task. */
export interface NamedWork {
  readonly work: PlannedRecipeWork;
  /** Name of the recipe's own item. */
  readonly name: string;
  readonly ingredients: readonly { readonly work: PlannedWork; readonly name: string }[];
}

/**
 * Names the items `<recipe>@<version>` and `<recipe>@<version>/<ingredient>`, with the cookbook where that is
 * not unique.
 */
export function nameWorks(works: readonly PlannedRecipeWork[]): readonly NamedWork[] {
  const names = nameRecipes(
    works.map(({ resolution: { recipe } }) => ({
      name: recipe.entry.name,
      version: recipe.version ?? recipe.entry.version,
      cookbook: recipe.cookbook,
    })),
  );
  return works.map((work, i) => {
    const name = names[i]!;
    return {
      work,
      name,
      ingredients: work.ingredients.map((one) => ({
        work: one,
        name: `${name}/${one.ingredient.ingredient.name}`,
      })),
    };
  });
}

/** The error known before the transfer that prevents a recipe from being carried. */
function findError({ resolution: { recipe, ingredients } }: PlannedRecipeWork): SvcError | undefined {
  if (recipe.outcome === 'failed') return recipe.error;
  return selectPrincipal(ingredients.flatMap(({ error }) => (error ? [error] : [])));
}

/**
 * Creates the items at the start of a run: done, failed, skipped or pending.
 *
 * @param isSettled whether the store needs no change for a recipe, owners included
 * @param before items of the run that this one resumes
 */
export function toItems(
  works: readonly NamedWork[],
  isSettled: (work: NamedWork) => boolean,
  before: Task['items'],
): readonly TaskItem[] {
  const known = new Map(before.map((item) => [item.name, item]));
  return works.flatMap((named): TaskItem[] => {
    const { work, name, ingredients } = named;
    const { recipe } = work.resolution;
    // an item that failed before an interruption remains failed; the next run tries it again
    const settledError = (item: string, digest: string | undefined) => {
      const earlier = known.get(item);
      return earlier?.status === 'failed' && earlier.digest === digest ? earlier.error : undefined;
    };
    const error = findError(work);
    const ownError = error ? toErrorRecord(error) : settledError(name, recipe.digest);
    const carried = (item: string) => known.get(item)?.transferredBytes ?? 0;
    const own: TaskItem = {
      name,
      ...(recipe.digest === undefined ? {} : { digest: recipe.digest }),
      ...(recipe.outcome === 'failed'
        ? {}
        : { sizeBytes: recipe.descriptor.size + recipe.config.size + recipe.layer.size }),
      status: ownError ? 'failed' : isSettled(named) ? 'done' : 'pending',
      transferredBytes: carried(name),
      ...(ownError ? { error: ownError } : {}),
    };
    return [
      ...ingredients.map(({ work: one, name: item }): TaskItem => {
        const { digest } = one.ingredient.ingredient;
        const failure = one.ingredient.error
          ? toErrorRecord(one.ingredient.error)
          : settledError(item, digest);
        const isDone = one.status === 'up-to-date';
        return {
          name: item,
          digest,
          sizeBytes: one.totalBytes,
          status: failure ? 'failed' : isDone ? 'done' : ownError ? 'skipped' : 'pending',
          transferredBytes: carried(item),
          ...(failure ? { error: failure } : {}),
        };
      }),
      own,
    ];
  });
}

/** Creates the resolutions of the task document; recipes are named as in the items. */
export function toResolutions(works: readonly NamedWork[]): readonly TaskResolution[] {
  return works.flatMap(({ name, work }): TaskResolution[] => {
    const { resolution, status, lowerThan, ingredients } = work;
    const { recipe } = resolution;
    if (recipe.outcome === 'failed') return [];
    const { entry, version, digest, effective, verdict } = recipe;
    const requests = [entry.version, ...(recipe.alsoRequested ?? [])];
    return [
      ...requests.map(
        (requested): TaskResolution => ({
          recipe: name,
          requested,
          resolved: version,
          digest,
          status,
          ...(lowerThan === undefined ? {} : { lowerThan }),
          ...(effective === undefined ? {} : { effective }),
          ...(verdict.trustScope === undefined ? {} : { trustScope: verdict.trustScope }),
        }),
      ),
      ...ingredients.map(({ ingredient: resolved, status: one }): TaskResolution => {
        const { ingredient, effective: at, graph } = resolved;
        return {
          recipe: name,
          ingredient: ingredient.name,
          requested: ingredient.version,
          resolved: ingredient.version,
          digest: ingredient.digest,
          status: one,
          ...(at === undefined ? {} : { effective: at }),
          ...(graph?.absentLayers ? { absentLayers: graph.absentLayers } : {}),
        };
      }),
    ];
  });
}
