import type { QueryOf } from '../contract/operation.ts';
import { sortRows } from '../contract/operations/sorting.ts';
import type { listZones } from '../contract/operations/zones.ts';
import type { ZoneBoard, ZoneRecipeState } from '../contract/zone-board.ts';
import { urgencyOf } from './zone/standing.ts';

/** Whether a zone has a recipe in a state: for `current` all, for `unknown` also none that is known; without a state every zone. */
function hasState({ totals, recipes }: ZoneBoard, state: ZoneRecipeState | undefined): boolean {
  if (state === undefined) return true;
  const isNone = recipes.length === 0;
  if (state === 'current') return !isNone && totals.current === recipes.length;
  return totals[state] > 0 || (isNone && state === 'unknown');
}

/** Selects boards by a state, and orders them. They are given in the order of the configuration. */
export function selectZones(
  boards: readonly ZoneBoard[],
  query: Pick<QueryOf<typeof listZones.query>, 'state' | 'sort' | 'order'>,
): readonly ZoneBoard[] {
  const places = new Map(boards.map((board, place) => [board, place]));
  return sortRows(
    boards.filter((board) => hasState(board, query.state)),
    {
      configured: (board) => places.get(board),
      urgency: urgencyOf,
      name: ({ name }) => name,
      recipes: ({ recipes, totals }) => recipes.length - totals.current,
      receipt: ({ receipt }) => receipt?.issuedAt,
      deliveries: ({ deliveries }) => deliveries.length,
      resolved: ({ wanted }) => wanted.resolvedAt,
    },
    query,
  );
}
