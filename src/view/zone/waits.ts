import type { Delivery } from '../../contract/delivery.ts';
import type { ArrivedRecipe, LandedRecipe, MediumDelivery } from '../../contract/status.ts';
import { ConstraintError, compareVersions, isConstraint, selectVersion } from '../../recipe/constraint.ts';
import type { TaskHead } from '../../task/storage.ts';
import { lastArrival } from '../../zone/arrivals.ts';
import { partsOf } from '../../zone/delivery-record.ts';
import { isSettled } from '../received-deliveries.ts';
import { isRefusal, type Owed, type Run, type RunRecipe, toWanted, type WantedRecipe } from '../runs.ts';

/** Recipes that the zone waits for, and recipes of the last run that came with another one. */
export interface Waits {
  readonly owed: readonly Owed[];
  readonly landed: readonly LandedRecipe[];
  /** What all recorded deliveries brought into the zone. */
  readonly arrived: readonly ArrivedRecipe[];
  /** Whether the zone has a Retriever of its own. Default: not known. */
  readonly hasSource?: boolean;
  /** Highest version that landed, by the name of the recipe, of any medium. */
  readonly highest?: Readonly<Record<string, string>>;
}

/** Whether the listed recipes are those of deliveries: the zone does not know the Retriever that wants them. */
export const isOfDeliveries = (
  run: { readonly task: Pick<TaskHead, 'type'> } | undefined,
  waits: Pick<Waits, 'hasSource'> | undefined,
): boolean => waits !== undefined && waits.hasSource !== true && run?.task.type !== 'sync';

interface Sources {
  /** The deliveries that arrived, the one that is wanted first before others. */
  readonly received: readonly Delivery[];
  /** Finished runs, newest first. */
  readonly runs: readonly (Pick<Run, 'recipes' | 'delivery'> & {
    readonly task: Pick<TaskHead, 'id' | 'type' | 'runId'>;
  })[];
  /** The run that imported the freshest medium of the zone, if any did. */
  readonly freshest: string | undefined;
  /** Whether the zone has a Retriever of its own. */
  readonly hasSource: boolean;
  /** Highest version that landed, by the name of the recipe. */
  readonly highest?: Waits['highest'];
}

type Named = Pick<RunRecipe, 'name' | 'version'>;

const toKey = ({ name, version }: Named): string => `${name}@${version}`;

/**
 * Lists the recipes that the zone waits for: those of every open delivery, and those that a run before the last one wanted, and
 * that no run has brought since, nor one that takes their place. A delivery that is overtaken or forgotten waits for nothing, and
 * neither does a medium older than the freshest one. Pure.
 */
export function listWaits(sources: Sources): Waits {
  const { received, runs } = sources;
  const latest = runs.find(({ recipes }) => recipes.length > 0);
  const of = latest?.delivery;
  const arrived = received.find(({ id, peer }) => id === of?.id && peer === of.peer)?.recipes ?? [];
  const brought = new Set(arrived.filter(({ state }) => state === 'landed').map(toKey));
  const landed = (latest?.recipes ?? []).filter((each) => each.status !== 'done' && brought.has(toKey(each)));
  const open = ofDeliveries(sources);
  const owed = new Map<string, Owed>();
  for (const each of [...open, ...ofEarlierRuns(sources, latest, [...open, ...landed])])
    if (!owed.has(toKey(each))) owed.set(toKey(each), each);
  return {
    owed: [...owed.values()],
    landed: landed.map(({ name, version }) => ({ name, version })),
    arrived: listArrived(received),
    hasSource: sources.hasSource,
    ...(sources.highest === undefined ? {} : { highest: sources.highest }),
  };
}

/** What deliveries brought, each recipe once, with the oldest complete one of them that has it, else an incomplete one. */
function listArrived(received: Sources['received']): readonly ArrivedRecipe[] {
  const arrived = new Map<string, ArrivedRecipe>();
  const timeOf = (one: Delivery): string => one.completedAt ?? lastArrival(one);
  const byTime = received.toSorted(
    (a, b) => Number(b.complete) - Number(a.complete) || (timeOf(a) < timeOf(b) ? -1 : 1),
  );
  for (const one of byTime) {
    const landedAt = timeOf(one) || undefined;
    for (const { name, version, digest, state } of one.recipes)
      if (state === 'landed' && !arrived.has(digest))
        arrived.set(digest, {
          ...{ name, version, digest, delivery: one.id },
          ...(landedAt === undefined ? {} : { landedAt }),
        });
  }
  return [...arrived.values()].sort((a, b) => (toKey(a) < toKey(b) ? -1 : 1));
}

/** What open deliveries have not brought. */
function ofDeliveries({ received, runs }: Sources): readonly Owed[] {
  const last = new Map(runs.toReversed().flatMap(({ recipes }) => recipes.map((one) => [toKey(one), one])));
  return received
    .filter((each) => !isSettled(each))
    .flatMap((delivery) =>
      delivery.recipes.flatMap((recipe): readonly Owed[] => {
        const { name, version, state, blocked: isBlocked = false } = recipe;
        if (state === 'landed') return [];
        const { error } = last.get(toKey(recipe)) ?? {};
        return [
          {
            ...{ name, version, state: isBlocked ? 'blocked' : 'missing' },
            ...(error === undefined ? {} : { code: error.code, error }),
            delivery: {
              ...{ id: delivery.id, writtenAt: delivery.resolvedAt, parts: delivery.parts },
              needed: [...partsOf(recipe, delivery.parts)],
            },
          },
        ];
      }),
    );
}

/**
 * What runs before the last one with recipes wanted in vain. Deliveries have records of their own, which outlive the tasks.
 *
 * @param latest its own recipes are no earlier ones
 * @param known recipes that later runs wanted or brought
 */
function ofEarlierRuns(
  { runs, freshest, hasSource }: Sources,
  latest: Sources['runs'][number] | undefined,
  known: readonly Named[],
): readonly Owed[] {
  const since = new Map<string, readonly string[]>();
  const note = ({ name, version }: Named): unknown => since.set(name, [...(since.get(name) ?? []), version]);
  known.forEach(note);
  const owed: Owed[] = [];
  let takesImports = true;
  let takesSyncs = hasSource;
  for (const run of runs) {
    const { task, recipes, delivery } = run;
    const isImport = task.type === 'media-import';
    const isWanting = delivery === undefined && (isImport ? takesImports : takesSyncs);
    const isOpen = ({ name, version, status }: RunRecipe): boolean =>
      status !== 'done' &&
      isWanting &&
      (run === latest || !(since.get(name) ?? []).some((one) => takesPlace(one, version)));
    const open = recipes.filter(isOpen);
    if (run !== latest)
      owed.push(
        ...open.map(
          ({ name, version, error }): Owed => ({
            ...{ name, version, state: isRefusal(error) ? 'blocked' : 'missing', task: task.id },
            ...(error === undefined ? {} : { code: error.code, error }),
          }),
        ),
      );
    // of one run: several versions of a recipe can be wanted
    for (const one of [...open, ...recipes.filter(({ status }) => status === 'done')]) note(one);
    if (isImport && task.runId === freshest) takesImports = false;
    if (!isImport && recipes.length > 0) takesSyncs = false;
  }
  return owed;
}

/** Whether a version takes the place of a wanted one: it is not lower, or the constraint allows it. */
function takesPlace(version: string, wanted: string): boolean {
  if (version === wanted || !isConstraint(wanted)) return compareVersions(version, wanted) >= 0;
  try {
    return selectVersion(wanted, [version]) !== undefined;
  } catch (error) {
    if (error instanceof ConstraintError) return false;
    throw error;
  }
}

/**
 * Lists the wanted recipes of a run and the others that the zone waits for, with their states of now.
 *
 * @param run whose recipes these are
 * @param facts.waits undefined where they are not known
 */
export function listStanding(
  run: Parameters<typeof toWanted>[0] | undefined,
  {
    recipes,
    delivery,
    waits,
  }: {
    readonly recipes: Parameters<typeof toWanted>[1];
    readonly delivery?: MediumDelivery | undefined;
    readonly waits?: Waits | undefined;
  },
): readonly WantedRecipe[] {
  return addOwed(run, run === undefined ? [] : toWanted(run, recipes, delivery), waits);
}

/**
 * Adds other recipes to the wanted ones of a run: those that the zone waits for and, where content comes on media, those that came
 * before. What that run could not bring of a delivery that was overtaken or forgotten since is wanted no more.
 */
function addOwed(
  run: Parameters<typeof toWanted>[0] | undefined,
  wanted: readonly WantedRecipe[],
  waits: Waits | undefined,
): readonly WantedRecipe[] {
  if (waits === undefined) return wanted;
  const owed = new Map(waits.owed.map((each) => [toKey(each), each]));
  const landed = new Set(waits.landed.map(toKey));
  const ofDelivery = new Set(run?.delivery?.recipes.map(toKey));
  const isImport = run?.task.type === 'media-import';
  const kept = wanted.flatMap((each): readonly WantedRecipe[] => {
    const key = toKey(each);
    // an import settles every delivery: one that is open was looked for in vain since
    const isLost = isImport && owed.has(key);
    if (each.standing === 'here' && !isLost) return [each];
    if (owed.has(key)) return [{ ...each, standing: 'missing', owed: owed.get(key)! }];
    if (landed.has(key)) return [{ ...each, error: undefined, standing: 'here' }];
    return ofDelivery.has(key) ? [] : [each];
  });
  const known = new Set(wanted.map(toKey));
  const others = waits.owed.filter((each) => !known.has(toKey(each)));
  const named = new Set([...known, ...owed.keys()]);
  const before = new Map(waits.arrived.map((each) => [toKey(each), each]));
  const isOfMedia = run === undefined || isImport;
  const brought = isOfMedia ? [...before.values()] : [];
  const all = [
    ...kept.map((each) =>
      each.standing === 'here' && before.has(toKey(each))
        ? { ...each, arrival: before.get(toKey(each))! }
        : each,
    ),
    ...others.map(toWantedRecipe),
    ...brought.filter((each) => !named.has(toKey(each))).map(toArrivedRecipe),
  ];
  return isOfMedia ? foldVersions(all) : all;
}

/**
 * Leaves one version of each recipe that is here: a delivery names no version that is wanted beside a newer one. The others stay
 * with it, or with the version of that name that is missing.
 */
function foldVersions(all: readonly WantedRecipe[]): readonly WantedRecipe[] {
  const shown = new Map<string, WantedRecipe>();
  for (const each of all) {
    const before = shown.get(each.name);
    const isLower =
      before?.standing === 'here' &&
      (each.standing !== 'here' || compareVersions(each.version, before.version) > 0);
    if (before === undefined || isLower) shown.set(each.name, each);
  }
  return all.flatMap((each): readonly WantedRecipe[] => {
    const first = shown.get(each.name);
    if (first !== each) return each.standing === 'here' ? [] : [each];
    const others = all.filter((one) => one !== each && one.name === each.name && one.standing === 'here');
    return [others.length === 0 ? each : { ...each, others: others.sort(compareNewest) }];
  });
}

const compareNewest = (a: WantedRecipe, b: WantedRecipe): number => compareVersions(b.version, a.version);

const toWantedRecipe = (owed: Owed): WantedRecipe => ({
  name: owed.name,
  version: owed.version,
  status: owed.delivery !== undefined && owed.state === 'missing' ? 'skipped' : 'failed',
  error: owed.error,
  standing: 'missing',
  owed,
  isAside: true,
});

const toArrivedRecipe = (arrival: ArrivedRecipe): WantedRecipe => ({
  ...{ name: arrival.name, version: arrival.version, status: 'done', standing: 'here' },
  ...{ arrival, isAside: true },
});
