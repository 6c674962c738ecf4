import type { QueryOf } from '../contract/operation.ts';
import { sortRows } from '../contract/operations/sorting.ts';
import type { listZones } from '../contract/operations/zones.ts';
import type { ZoneBoard } from '../contract/zone-board.ts';

/** Orders boards that are given in the order of the configuration. */
export function sortZones(
  boards: readonly ZoneBoard[],
  query: Pick<QueryOf<typeof listZones.query>, 'sort' | 'order'>,
): readonly ZoneBoard[] {
  const places = new Map(boards.map((board, place) => [board, place]));
  return sortRows(
    boards,
    {
      configured: (board) => places.get(board),
      name: ({ name }) => name,
      recipes: ({ recipes, totals }) => recipes.length - totals.current,
      receipt: ({ receipt }) => receipt?.issuedAt,
      deliveries: ({ deliveries }) => deliveries.length,
      resolved: ({ wanted }) => wanted.resolvedAt,
    },
    query,
  );
}
