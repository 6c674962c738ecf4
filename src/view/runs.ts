import type { Digest } from '../base/digest.ts';
import type { ItemStatus } from '../contract/common.ts';
import type { Task } from '../contract/task.ts';
import type { ListedRecipe } from '../operation/list-recipes.ts';
import type { TaskHead } from '../task/storage.ts';
import type { ErrorRecord } from '../text/error.ts';

/** Result of a run for one wanted recipe. */
export interface RunRecipe {
  readonly name: string;
  /** Present where several recipes of the run have this name and version. */
  readonly cookbook?: string;
  /** The selected version, else the requested one. */
  readonly version: string;
  /** The constraint, where it is not the version itself. */
  readonly requested?: string;
  /** The higher version that was here, where the source offered it no longer. */
  readonly lowerThan?: string;
  readonly status: ItemStatus;
  readonly error?: ErrorRecord;
}

/** Whether a run failed to bring a recipe. One that was under way when its task was cancelled did not fail. */
export const isRefused = ({ status, error }: Pick<RunRecipe, 'status' | 'error'>): boolean =>
  status === 'failed' && error?.code !== 'SVC-TSK-004';

/** A finished run that resolves recipes: a synchronization or the import of a medium. */
export interface Run {
  readonly task: TaskHead;
  /** Empty when the run failed before it knew its recipes. */
  readonly recipes: readonly RunRecipe[];
  /** Host that was contacted for a digest, where the recipe names another one. */
  readonly effective: ReadonlyMap<Digest, string>;
  /** Host of the registry that content was promoted into. */
  readonly destination?: string;
}

/** `[<cookbook>/]<recipe>@<version>[ (<number>)]`, as items of a run are named; those of ingredients have a further segment. */
const recipeItem = /^(?:(.*)\/)?([^/@]+)@([^/]*?)(?: \([0-9]+\))?$/;

/** Selects the recipes among the items of a run, in their order. */
export function selectRunRecipes({
  items,
  resolutions = [],
}: Pick<Task, 'items' | 'resolutions'>): readonly RunRecipe[] {
  const resolved = new Map(
    resolutions.flatMap((each) => (each.ingredient === undefined ? [[each.recipe, each]] : [])),
  );
  return items.flatMap((item) => {
    const [, cookbook, name, version] = recipeItem.exec(item.name) ?? [];
    if (name === undefined || version === undefined) return [];
    const { requested: asked, lowerThan } = resolved.get(item.name) ?? {};
    return [
      {
        name,
        cookbook,
        version,
        ...(asked === undefined || asked === version ? {} : { requested: asked }),
        lowerThan,
        status: item.status,
        error: item.error,
      },
    ];
  });
}

/** Reads the results for the wanted recipes of a run from its task. */
export function toRun(task: Pick<Task, 'items' | 'resolutions'>): Omit<Run, 'task'> {
  const effective = new Map(
    (task.resolutions ?? []).flatMap(({ digest, effective: at }) =>
      at === undefined ? [] : [[digest, at.split('/', 1)[0]!] as const],
    ),
  );
  const promoted = task.resolutions?.find(({ destination }) => destination !== undefined)?.destination;
  return {
    recipes: selectRunRecipes(task),
    effective,
    ...(promoted === undefined ? {} : { destination: promoted.split('/', 1)[0]! }),
  };
}

/** A recipe that a run wanted, as the store stands now. */
export interface WantedRecipe extends RunRecipe {
  /** `gone`: the run brought it, and the store no longer has it or no longer serves it. */
  readonly standing: 'here' | 'missing' | 'gone';
}

/** The last comparison of each run: the list of recipes stays the same while none changes. */
const compared = new WeakMap<
  Run['recipes'],
  {
    readonly recipes: readonly (ListedRecipe | Pick<ListedRecipe, 'name'>)[];
    readonly wanted: readonly WantedRecipe[];
  }
>();

/**
 * Compares the wanted recipes of a run with those that the store has and serves now. Recipes may have been removed or
 * withdrawn since, so the result of the run says nothing about the present.
 *
 * @param recipes that are served now, with their versions
 */
export function toWanted(
  run: Pick<Run, 'recipes'>,
  recipes: readonly (ListedRecipe | Pick<ListedRecipe, 'name'>)[],
): readonly WantedRecipe[] {
  const before = compared.get(run.recipes);
  if (before?.recipes === recipes) return before.wanted;
  const wanted = compare(run, recipes);
  compared.set(run.recipes, { recipes, wanted });
  return wanted;
}

function compare(
  run: Pick<Run, 'recipes'>,
  recipes: readonly (ListedRecipe | Pick<ListedRecipe, 'name'>)[],
): readonly WantedRecipe[] {
  const here = new Set(
    recipes.flatMap((each) => ('version' in each ? [`${each.name}@${each.version}`] : [])),
  );
  return run.recipes.map((recipe) => ({
    ...recipe,
    standing:
      recipe.status !== 'done' ? 'missing' : here.has(`${recipe.name}@${recipe.version}`) ? 'here' : 'gone',
  }));
}
