import type { ZoneBoard } from '../../contract/zone-board.ts';

/** Whether a zone has the recipes that it should have, the ones that ask for action first. */
export const standings = ['lacks', 'overdue', 'unknown', 'awaits', 'has'] as const;
export type Standing = (typeof standings)[number];

/** Recipes that a zone lacks by its receipt. */
export const countLacking = ({ totals }: Pick<ZoneBoard, 'totals'>): number =>
  totals.blocked + totals.missing + totals.behind;

/** Whether the last receipt of a zone is overdue, or that of a delivery with recipes that the zone lacks. */
export const isLate = ({ receipt, deliveries, totals }: ZoneBoard): boolean =>
  receipt?.overdue === true || (totals['in-transit'] > 0 && deliveries.some(({ overdue }) => overdue));

/** An overdue receipt still proves a lack, and no longer the presence of a recipe. */
export function standingOf(board: ZoneBoard): Standing {
  const { totals, recipes, code, receipt, unbelieved, wanted } = board;
  if (code !== undefined || receipt?.fork !== undefined || recipes.length === 0) return 'unknown';
  if (countLacking(board) > 0) return 'lacks';
  if (wanted.state === 'unresolved' || unbelieved !== undefined) return 'unknown';
  if (isLate(board)) return 'overdue';
  if (totals['in-transit'] > 0) return 'awaits';
  return totals.unknown > 0 ? 'unknown' : 'has';
}

/** Whether no state can be told until an error is mended. */
const isFaulty = ({ code, receipt, unbelieved, wanted }: ZoneBoard): boolean =>
  code !== undefined ||
  receipt?.fork !== undefined ||
  unbelieved !== undefined ||
  (wanted.state === 'unresolved' && wanted.code !== undefined);

/** Whether a zone that has its recipes, or awaits them, has a warning all the same. */
const isWarned = ({ receipt, recipes, unproved = [], unfinished = [], wanted }: ZoneBoard): boolean =>
  receipt?.otherMedium !== undefined ||
  unproved.length + unfinished.length > 0 ||
  wanted.state === 'partial' ||
  recipes.some(({ unsigned }) => unsigned);

const places = { lacks: 0, overdue: 2, unknown: 4, awaits: 5, has: 6 } as const satisfies Record<
  Standing,
  number
>;

/**
 * The place of a zone in a list that leads with the most urgent: errors, those that lack most first, then warnings, then zones of
 * which nothing is known or that wait, and last those that have everything. The page, the API and the command order by it.
 */
export function urgencyOf(board: ZoneBoard): number {
  const lacking = countLacking(board);
  const place = places[standingOf(board)] - lacking / (lacking + 1);
  if (place > 1 && isFaulty(board)) return 1;
  return place > 3 && isWarned(board) ? 3 : place;
}
