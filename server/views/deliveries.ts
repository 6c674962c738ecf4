import type { ListedRecipe } from '../../src/operation/list-recipes.ts';
import type { ErrorCode } from '../../src/text/errors/registry.ts';
import { isRefused, type Run } from '../../src/view/runs.ts';

/** A version of a recipe that landed, or was refused. */
export interface Delivery {
  readonly version: string;
  readonly outcome: 'landed' | 'failed';
  /** Why it failed. */
  readonly code?: ErrorCode;
  /** The task that failed. */
  readonly task?: string;
}

export interface DeliveryRow {
  readonly recipe: string;
  /** By day, `2026-11-22`. */
  readonly byDay: ReadonlyMap<string, readonly Delivery[]>;
}

export interface Deliveries {
  /** Days on which something happened, the oldest first. */
  readonly days: readonly string[];
  /** The recipe that changed last comes first. */
  readonly rows: readonly DeliveryRow[];
}

/** Number of days that a table of them has room for. */
const mostDays = 6;
const mostRows = 12;

type Event = Delivery & { readonly recipe: string; readonly at: string };

function listEvents(
  recipes: readonly (ListedRecipe | Pick<ListedRecipe, 'name'>)[],
  runs: readonly Run[],
): readonly Event[] {
  const landed = recipes.flatMap((each): Event[] =>
    'resolvedAt' in each && each.resolvedAt !== undefined
      ? [{ recipe: each.name, version: each.version, at: each.resolvedAt, outcome: 'landed' }]
      : [],
  );
  const failed = runs.flatMap(({ task, recipes: wanted }) =>
    wanted.filter(isRefused).map(
      ({ name, version, error }): Event => ({
        recipe: name,
        version,
        at: task.finishedAt ?? task.createdAt,
        outcome: 'failed',
        task: task.id,
        code: error?.code,
      }),
    ),
  );
  return [...landed, ...failed].sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
}

const dayOf = ({ at }: Event): string => at.slice(0, 10);

const known = new WeakMap<
  readonly (ListedRecipe | Pick<ListedRecipe, 'name'>)[],
  { readonly runs: readonly Run[]; readonly deliveries: Deliveries }
>();

/**
 * Arranges landed and refused versions by recipe and day; once for the same lists. Landed versions come from the recipe
 * ledger and stay longer than the tasks; refused ones come from the tasks.
 */
export function toDeliveries(
  recipes: readonly (ListedRecipe | Pick<ListedRecipe, 'name'>)[],
  runs: readonly Run[],
): Deliveries {
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
    return { recipe, byDay };
  });
  return { days: days.toReversed(), rows };
}
