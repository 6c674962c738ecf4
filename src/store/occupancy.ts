import type { OccupancyRecord, Store } from './model.ts';

/** How much the blobs of the store take now. */
export function occupancyOf({ core }: Store): OccupancyRecord {
  return { bytes: core.state.bytes, sampledAt: new Date(core.parts.wall()).toISOString() };
}
