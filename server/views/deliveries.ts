import type { ArrivedRecipe } from '../../src/contract/status.ts';
import type { ListedRecipe } from '../../src/operation/list-recipes.ts';
import type { ErrorCode } from '../../src/text/errors/registry.ts';
import { isRefused, type Run } from '../../src/view/runs.ts';

/** A version of a recipe that landed, or was refused; the version is empty for recipes that failed together. */
export interface Delivery {
  readonly version: string;
  readonly outcome: 'landed' | 'failed';
  /** Why it failed. */
  readonly code?: ErrorCode;
  /** The task that failed. */
  readonly task?: string;
}

/** A recipe, or the recipes that failed together in one run: for one reason, many of them at once. */
export interface DeliveryRow {
  readonly recipe: string;
  /** `name version` of each recipe of a run that failed with the others; absent for a recipe. */
  readonly together?: readonly string[];
  /** By day, `2026-11-22`. */
  readonly byDay: ReadonlyMap<string, readonly Delivery[]>;
}

export interface Deliveries {
  /** Days on which something happened, the oldest first. */
  readonly days: readonly string[];
  /** The recipe that changed last comes first. */
  readonly rows: readonly DeliveryRow[];
  /** How many recipes have no row, as others changed later. */
  readonly more: number;
}

/** Number of days that a table of them has room for. */
const mostDays = 6;
const mostRows = 12;

/** Recipes that fail with one code in one run from which on they are one row. */
const fewestTogether = 3;

type Event = Delivery & {
  readonly recipe: string;
  readonly at: string;
  readonly together?: readonly string[];
};

/** The failed recipes of a run, those with one code together where they are many. */
function listFailed({ task, recipes }: Run): readonly Event[] {
  const at = task.finishedAt ?? task.createdAt;
  const refused = recipes.filter(isRefused);
  const byCode = Map.groupBy(refused, ({ error }) => error?.code);
  return [...byCode].flatMap(([code, group]): readonly Event[] => {
    const event = { at, outcome: 'failed', task: task.id, ...(code === undefined ? {} : { code }) } as const;
    if (code === undefined || group.length < fewestTogether)
      return group.map(({ name, version }) => ({ ...event, recipe: name, version }));
    const together = group.map(({ name, version }) => `${name} ${version}`).sort();
    // the same recipes fail again in the next run, for the same reason
    return [{ ...event, recipe: `${code} ${together.join(', ')}`, version: '', together }];
  });
}

/** A recipe of the store, or one that a delivery brought into the zone; only its name while the gate is closed. */
type Landing = ListedRecipe | ArrivedRecipe | Pick<ListedRecipe, 'name'>;

/** When a recipe landed; of a delivery of which no disk was imported whole, the end of the run that brought it. */
function landedAt(each: Landing, runs: readonly Run[]): string | undefined {
  if ('resolvedAt' in each) return each.resolvedAt;
  if (!('delivery' in each)) return undefined;
  const isIt = ({ name, version, status }: Run['recipes'][number]): boolean =>
    name === each.name && version === each.version && status === 'done';
  const { task } = runs.find(({ recipes }) => recipes.some(isIt)) ?? {};
  return each.landedAt ?? task?.finishedAt ?? task?.createdAt;
}

function listEvents(recipes: readonly Landing[], runs: readonly Run[]): readonly Event[] {
  const landed = recipes.flatMap((each): Event[] => {
    const at = landedAt(each, runs);
    return at === undefined || !('version' in each)
      ? []
      : [{ recipe: each.name, version: each.version, at, outcome: 'landed' }];
  });
  return [...landed, ...runs.flatMap(listFailed)].sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
}

const dayOf = ({ at }: Event): string => at.slice(0, 10);

const known = new WeakMap<
  readonly Landing[],
  { readonly runs: readonly Run[]; readonly deliveries: Deliveries }
>();

/**
 * Arranges landed and refused versions by recipe and day; once for the same lists. Landed versions come from the recipe
 * ledger, or from the records of deliveries, and stay longer than the tasks; refused ones come from the tasks.
 */
export function toDeliveries(recipes: readonly Landing[], runs: readonly Run[]): Deliveries {
  const before = known.get(recipes);
  if (before?.runs === runs) return before.deliveries;
  const deliveries = arrange(listEvents(recipes, runs));
  known.set(recipes, { runs, deliveries });
  return deliveries;
}

function arrange(events: readonly Event[]): Deliveries {
  const days = [...new Set(events.map(dayOf))].slice(0, mostDays);
  const shown = events.filter((event) => days.includes(dayOf(event)));
  const names = [...new Set(shown.map(({ recipe }) => recipe))].slice(0, mostRows);
  const rows = names.map((recipe): DeliveryRow => {
    const byDay = new Map<string, Delivery[]>();
    // the oldest first; a version that fails in each run of a day is one mark
    for (const event of shown.toReversed()) {
      if (event.recipe !== recipe) continue;
      const { version, outcome, code, task } = event;
      const cell = byDay.get(dayOf(event)) ?? [];
      const rest = cell.filter((each) => each.version !== version || each.outcome !== outcome);
      const mark = {
        version,
        outcome,
        code,
        task,
      };
      byDay.set(dayOf(event), [...rest, mark]);
    }
    const together = shown.find((event) => event.recipe === recipe)?.together;
    return { recipe, ...(together === undefined ? {} : { together }), byDay };
  });
  const all = new Set(events.map(({ recipe }) => recipe));
  return { days: days.toReversed(), rows, more: all.size - rows.length };
}
