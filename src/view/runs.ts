import type { Digest } from '../base/digest.ts';
import type { ItemStatus } from '../contract/common.ts';
import type { Delivery } from '../contract/delivery.ts';
import type { ArrivedRecipe, MediumDelivery, OwedRecipe } from '../contract/status.ts';
import type { Task } from '../contract/task.ts';
import type { ListedRecipe } from '../operation/list-recipes.ts';
import { ConstraintError, selectVersion } from '../recipe/constraint.ts';
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
  /** Whether all of its content was there before the run. */
  readonly wasHere?: boolean;
}

/** Whether a run failed to bring a recipe. One that was under way when its task was cancelled did not fail. */
export const isRefused = ({ status, error }: Pick<RunRecipe, 'status' | 'error'>): boolean =>
  status === 'failed' && error?.code !== 'SVC-TSK-004';

/** Whether a rule or a verification kept a recipe out, and not a failure. */
export const isRefusal = (error: Pick<ErrorRecord, 'class'> | undefined): boolean =>
  error !== undefined && error.class !== 'failure';

/** A finished run that resolves recipes: a synchronization or the import of a medium. */
export interface Run {
  readonly task: TaskHead;
  /** Empty when the run failed before it knew its recipes. */
  readonly recipes: readonly RunRecipe[];
  /** Host that was contacted for a digest, where the recipe names another one. */
  readonly effective: ReadonlyMap<Digest, string>;
  /** Host of the registry that content was promoted into. */
  readonly destination?: string;
  /** The delivery of the imported medium, as it stood after the import. */
  readonly delivery?: Pick<Delivery, 'id' | 'peer' | 'parts' | 'landed' | 'recipes'>;
  /** The key that verified each recipe that passed the checks of an import; absent of one without a signature. */
  readonly signers?: ReadonlyMap<Digest, { readonly keyFingerprint?: string }>;
}

/**
 * The run whose recipes are wanted: the last one. An import by a command of a folder that is no medium, or that was refused
 * before its recipes were known, says nothing about those of the run before.
 *
 * @param runs newest first
 */
export function selectWanting<T extends Pick<Run, 'task' | 'recipes'>>(runs: readonly T[]): T | undefined {
  const isAside = ({ task, recipes }: T): boolean =>
    task.type === 'media-import' &&
    task.command !== undefined &&
    task.status !== 'done' &&
    recipes.length === 0;
  return runs.find((run) => !isAside(run)) ?? runs[0];
}

/** `[<cookbook>/]<recipe>@<version>[ (<number>)]`, as items of a run are named; those of ingredients have a further segment. */
const recipeItem = /^(?:(.*)\/)?([^/@]+)@([^/]*?)(?: \([0-9]+\))?$/;

/** Whether an item of a run is a recipe, and not one of its ingredients. */
export const isRecipeItem = ({ name }: { readonly name: string }): boolean => recipeItem.test(name);

/** Selects the recipes among the items of a run, in their order. */
export function selectRunRecipes({
  type,
  items,
  resolutions = [],
}: Pick<Task, 'items' | 'resolutions'> & Partial<Pick<Task, 'type'>>): readonly RunRecipe[] {
  const status = type === 'media-import' ? 'destinationStatus' : 'status';
  const present = new Set(
    resolutions.flatMap((each) =>
      each.ingredient === undefined && each[status] === 'up-to-date' ? [each.recipe] : [],
    ),
  );
  // an ingredient that was lost comes again, with its recipe in place
  const brought = new Set(
    items.flatMap(({ name, transferredBytes }) =>
      transferredBytes > 0 ? [name, name.slice(0, Math.max(0, name.lastIndexOf('/')))] : [],
    ),
  );
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
        ...(present.has(item.name) && !brought.has(item.name) ? { wasHere: true } : {}),
      },
    ];
  });
}

/** Reads the results for the wanted recipes of a run from its task. */
export function toRun(
  task: Pick<Task, 'items' | 'resolutions' | 'delivery' | 'verification'> & Partial<Pick<Task, 'type'>>,
): Omit<Run, 'task'> {
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
    delivery: task.delivery,
    ...(task.verification === undefined ? {} : { signers: toSigners(task.verification.recipes) }),
  };
}

const toSigners = (recipes: NonNullable<Task['verification']>['recipes']): NonNullable<Run['signers']> =>
  new Map(
    recipes.flatMap(({ digest, pushable, keyFingerprint }) =>
      pushable ? [[digest, keyFingerprint === undefined ? {} : { keyFingerprint }] as const] : [],
    ),
  );

/** The key that verified an arrived recipe, by the imports that are still known; undefined where none of them is. */
export const findSigner = (
  runs: readonly Pick<Run, 'signers'>[],
  { digest }: Pick<ArrivedRecipe, 'digest'>,
): { readonly keyFingerprint?: string } | undefined =>
  runs.flatMap(({ signers }) => signers?.get(digest) ?? [])[0];

/** A recipe that the zone still waits for, whichever disk was imported last. */
export interface Owed extends OwedRecipe {
  /** Why the last run that knew it did not bring it. */
  readonly error?: ErrorRecord;
}

/** A recipe that is wanted, as the store stands now. */
export interface WantedRecipe extends RunRecipe {
  /** `gone`: a synchronization brought it, and the store no longer has it or no longer serves it. */
  readonly standing: 'here' | 'missing' | 'gone';
  /** What is to bring it, where that is known. */
  readonly owed?: Owed;
  /** The delivery that brought one that is here, where one is recorded. */
  readonly arrival?: ArrivedRecipe;
  /** Whether the last run did not want it: another delivery or an earlier run does. */
  readonly isAside?: boolean;
  /** Whether the medium that is here has it, and its verification withholds it. */
  readonly isWithheld?: boolean;
  /** Whether it is here, and the store has lost a part of it. */
  readonly isDamaged?: boolean;
  /** Whether it is here from an earlier run, and the last one failed before it could compare it with its source. */
  readonly isUnchanged?: boolean;
  /** Whether the zone has it, and only its copy on the medium that is here is damaged. */
  readonly isCopyDamaged?: boolean;
  /** Other versions of it that deliveries brought, the newest first. */
  readonly others?: readonly WantedRecipe[];
}

/** Places of recipes in a list that leads with those that ask for attention. */
export const attention = { error: 0, warning: 1, good: 2 } as const;

/** The place of a wanted recipe: first those not here or damaged in the store, then those with a warning. */
export const rankWanted = ({
  standing,
  isDamaged = false,
  isCopyDamaged = false,
  lowerThan,
}: Pick<WantedRecipe, 'standing' | 'isDamaged' | 'isCopyDamaged' | 'lowerThan'>): number =>
  standing !== 'here' || isDamaged
    ? attention.error
    : isCopyDamaged || lowerThan !== undefined
      ? attention.warning
      : attention.good;

/** The states of a wanted recipe, those that need an action first. */
export const wantedStates = ['blocked', 'missing', 'gone', 'damaged', 'present'] as const;

/**
 * The state of a wanted recipe. One that is missing because a rule or a verification refused it is `blocked`; one that is here, and
 * of which the store has lost a part, is `damaged`. All lists, counts and verdicts decide by this.
 */
export function wantedState({
  standing,
  error,
  owed,
  isDamaged,
}: Pick<WantedRecipe, 'standing' | 'error' | 'owed' | 'isDamaged'>): (typeof wantedStates)[number] {
  if (standing === 'here') return isDamaged ? 'damaged' : 'present';
  if (standing === 'gone') return 'gone';
  return isRefusal(error) || owed?.state === 'blocked' ? 'blocked' : 'missing';
}

/** A run, as far as its wanted recipes are concerned. */
type WantedRun = Pick<Run, 'recipes' | 'delivery'> & { readonly task: Pick<TaskHead, 'type'> };

/** The last comparison of each run: the list of recipes stays the same while none changes. */
const compared = new WeakMap<
  Run['recipes'],
  {
    readonly recipes: readonly (ListedRecipe | Pick<ListedRecipe, 'name'>)[];
    readonly isComplete: boolean;
    readonly wanted: readonly WantedRecipe[];
  }
>();

/**
 * Compares the wanted recipes of a run with those that are here now. Recipes may have been removed or withdrawn from the
 * store since a synchronization, so its result says nothing about the present. An import pushes into the registry of the
 * zone: its recipes are here, also where the disk in the drive lacks them.
 *
 * @param recipes that are served now, with their versions
 * @param delivery of the medium that is here, as the zone has received it by now
 */
export function toWanted(
  run: WantedRun,
  recipes: readonly (ListedRecipe | Pick<ListedRecipe, 'name'>)[],
  delivery?: MediumDelivery,
): readonly WantedRecipe[] {
  const isComplete = delivery?.complete === true && delivery.id === run.delivery?.id;
  const before = compared.get(run.recipes);
  if (before?.recipes === recipes && before.isComplete === isComplete) return before.wanted;
  const wanted = compare(run, recipes, isComplete);
  compared.set(run.recipes, { recipes, isComplete, wanted });
  return wanted;
}

const toKey = ({ name, version }: Pick<RunRecipe, 'name' | 'version'>): string => `${name}@${version}`;

function compare(
  run: WantedRun,
  recipes: readonly (ListedRecipe | Pick<ListedRecipe, 'name'>)[],
  isComplete: boolean,
): readonly WantedRecipe[] {
  const isImport = run.task.type === 'media-import';
  const here = new Map<string, boolean>();
  const synced = new Map<string, string[]>();
  for (const each of recipes) {
    if (!('version' in each)) continue;
    here.set(toKey(each), each.damaged === true || here.get(toKey(each)) === true);
    if (!('resolvedAt' in each)) continue;
    const versions = synced.get(each.name);
    if (versions === undefined) synced.set(each.name, [each.version]);
    else versions.push(each.version);
  }
  const landed = new Set(
    run.delivery?.recipes.flatMap((each) => (isComplete || each.state === 'landed' ? [toKey(each)] : [])),
  );
  return run.recipes.map((asked): WantedRecipe => {
    const recipe: ReturnType<typeof keepEarlier> = isImport
      ? asked
      : keepEarlier(asked, synced.get(asked.name));
    const key = toKey(recipe);
    if (landed.has(key)) return { ...recipe, standing: 'here' };
    if (recipe.status !== 'done' && recipe.isUnchanged !== true) return { ...recipe, standing: 'missing' };
    if (isImport) return { ...recipe, standing: 'here' };
    return {
      ...recipe,
      standing: here.has(key) ? 'here' : 'gone',
      ...(here.get(key) ? { isDamaged: true } : {}),
    };
  });
}

/**
 * A recipe that a synchronization neither brought nor refused, at the version that an earlier one brought: the highest one here
 * that the entry allows. A run that did not reach the source takes nothing away.
 *
 * @param versions that synchronizations brought, and that are here
 */
function keepEarlier(
  recipe: RunRecipe,
  versions: readonly string[] = [],
): RunRecipe & Pick<WantedRecipe, 'isUnchanged'> {
  if (recipe.status === 'done' || isRefusal(recipe.error)) return recipe;
  const version = selectAllowed(recipe.version, versions);
  if (version === undefined) return recipe;
  const requested = recipe.requested ?? (version === recipe.version ? undefined : recipe.version);
  return { ...recipe, version, ...(requested === undefined ? {} : { requested }), isUnchanged: true };
}

function selectAllowed(wanted: string, versions: readonly string[]): string | undefined {
  try {
    return selectVersion(wanted, versions);
  } catch (error) {
    // the Retriever has an entry that is no constraint
    if (error instanceof ConstraintError) return undefined;
    throw error;
  }
}

/** The time of the last synchronization that brought or confirmed a recipe. @param runs newest first */
export function lastGoodSync(runs: readonly Run[]): string | undefined {
  const task = runs.find(
    (run) => run.task.type === 'sync' && run.recipes.some(({ status }) => status === 'done'),
  )?.task;
  return task && (task.finishedAt ?? task.createdAt);
}

/**
 * Whether a synchronization brought none of its recipes, and no check refused one: its source was away, for example. Such a run says
 * nothing about the recipes.
 */
export const isFailedSync = ({ task, recipes }: Pick<Run, 'task' | 'recipes'>): boolean =>
  task.type === 'sync' &&
  task.status === 'failed' &&
  recipes.length > 0 &&
  recipes.every((each) => isRefused(each) && !isRefusal(each.error));
