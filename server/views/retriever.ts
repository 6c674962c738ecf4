import type { IntervalRecord } from '../../src/task/schedule.ts';
import type { OccupancyView, RetrieverRecord } from '../operations.ts';
import type { ViewParts } from './parts.ts';

export interface RetrieverView extends RetrieverRecord {
  /** Absent in mirror mode. */
  readonly interval?: IntervalRecord;
  readonly occupancy: OccupancyView;
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
