import { svcError } from '../../src/base/error.ts';
import { renderError } from '../../src/base/message.ts';
import type { Meter, Report } from '../../src/base/report.ts';
import type { Store } from '../../src/store/model.ts';
import type { TaskStatus } from '../../src/task/model.ts';
import type { GateRefusal } from '../gate.ts';
import type { OccupancyView } from '../operations.ts';

/** Milliseconds between two looks at the occupancy. */
const occupancyInterval = 30_000;

/** Sets the gauges of what is a state at the time of a scrape. */
export function sampleState(
  meter: Meter,
  occupancy: OccupancyView,
  counts: Readonly<Record<TaskStatus, number>>,
): void {
  meter.set('svc_store_occupancy_bytes', occupancy.bytes);
  meter.set('svc_store_occupancy_exceeded', occupancy.exceeded ? 1 : 0);
  if (occupancy.thresholdBytes !== undefined) {
    meter.set('svc_store_occupancy_threshold_bytes', occupancy.thresholdBytes);
  }
  for (const [status, count] of Object.entries(counts)) meter.set('svc_tasks', count, { status });
}

/** Says when the store passes its threshold, and when it comes back. Returns how to stop. */
export function watchOccupancy(read: () => OccupancyView, report: Report): () => void {
  let exceeded = false;
  const look = (): void => {
    const now = read();
    if (now.exceeded === exceeded) return;
    exceeded = now.exceeded;
    const fields = { bytes: now.bytes, thresholdBytes: now.thresholdBytes };
    if (exceeded) report.log('warn', 'the store is over its occupancy threshold', fields);
    else report.log('info', 'the store is back under its occupancy threshold', fields);
  };
  look();
  const timer = setInterval(look, occupancyInterval);
  timer.unref();
  return () => clearInterval(timer);
}

/** What a ready instance should be known for: a closed gate, a store that cannot change or is not ours. No paths. */
export function selectReasons(state: {
  readonly refusal: GateRefusal | undefined;
  readonly store: Pick<Store, 'readOnly' | 'standing'>;
  readonly zone: string | undefined;
}): readonly string[] {
  const { refusal, store, zone } = state;
  const reasons: string[] = [];
  if (refusal !== undefined) {
    const { what } = renderError(svcError(refusal.code, { mediaId: refusal.mediaId }), 'en');
    reasons.push(`${refusal.code}: ${what}`);
  }
  if (store.standing === 'foreign' && zone === undefined) {
    reasons.push('the store was made by another instance and is served as it is: no zone is set');
  }
  if (store.readOnly !== undefined) reasons.push('the store is read-only');
  return reasons;
}
