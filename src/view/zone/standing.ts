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

/** The place of a zone in a list that leads with the most urgent: those that lack most first. */
export const urgencyOf = (board: ZoneBoard): number =>
  standings.indexOf(standingOf(board)) - countLacking(board) / (countLacking(board) + 1);
