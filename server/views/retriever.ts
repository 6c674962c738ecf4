import type { Interval, Occupancy, RetrieverRecord } from '../../src/contract/recipe.ts';
import type { ViewParts } from './parts.ts';
import { lastPlanOf } from './plan.ts';

const names = new WeakMap<ViewParts['operations'], string>();

/**
 * The name of the Retriever: as the last synchronization read it, else the last plan. It outlives a reset of the store, which
 * forgets that synchronization, and not a restart after one.
 */
export function retrieverName({ operations }: Pick<ViewParts, 'operations'>): string | undefined {
  const { lastSync } = operations.retriever();
  const name = lastSync?.zone ?? lastPlanOf({ operations })?.zone;
  if (name !== undefined) names.set(operations, name);
  return name ?? names.get(operations);
}

export interface RetrieverView extends RetrieverRecord {
  /** Absent in mirror mode. */
  readonly interval?: Interval;
  readonly occupancy: Occupancy;
}

/** Shows source, relaxed trust scopes, interval, occupancy and the background check of the store. */
export function showRetriever({
  operations,
  schedule,
}: Pick<ViewParts, 'operations' | 'schedule'>): RetrieverView {
  return {
    ...operations.retriever(),
    ...(schedule === undefined ? {} : { interval: schedule.interval }),
    occupancy: operations.occupancy(),
  };
}
