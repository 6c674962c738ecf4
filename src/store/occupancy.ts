import type { OccupancyRecord, Store } from './model.ts';

/** The current size of all blobs of the store, in bytes. */
export function occupancyOf({ core }: Store): OccupancyRecord {
  return { bytes: core.state.bytes, sampledAt: new Date(core.parts.wall()).toISOString() };
}
