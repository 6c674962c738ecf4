import { svcError } from '../../src/base/error.ts';
import { renderError } from '../../src/base/message.ts';
import type { Meter, Report } from '../../src/base/report.ts';
import type { Store } from '../../src/store/model.ts';
import type { TaskStatus } from '../../src/task/model.ts';
import type { GateRefusal } from '../gate.ts';
import type { OccupancyView } from '../operations.ts';

/** Milliseconds between two checks of the occupancy. */
const occupancyInterval = 30_000;

/** Sets the gauges of current state at a scrape. */
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

/**
 * Logs when the store exceeds its threshold and when it is below it again.
 *
 * @returns a function that stops the watch
 */
export function watchOccupancy(read: () => OccupancyView, report: Report): () => void {
  let exceeded = false;
  const look = (): void => {
    const now = read();
    if (now.exceeded === exceeded) return;
    exceeded = now.exceeded;
    const fields = { bytes: now.bytes, thresholdBytes: now.thresholdBytes };
    if (exceeded) report.log('warn', 'the store exceeds its occupancy threshold', fields);
    else report.log('info', 'the store is below its occupancy threshold again', fields);
  };
  look();
  const timer = setInterval(look, occupancyInterval);
  timer.unref();
  return () => clearInterval(timer);
}

/** Volumes that are almost full. */
interface FullVolumes {
  /** The volume of the store: uploads are refused. */
  readonly store: boolean;
  /** The volume of the state: tasks may fail, accounts and tokens can still be changed. */
  readonly state: boolean;
}

/** Free bytes on the state's volume below which the record of a task may not fit. */
const stateRoom = 1 << 20;

/**
 * Whether the record of a task may not fit on the state's volume.
 *
 * @param free free bytes of the volume
 */
export function isStateFull(free: number): boolean {
  return free < stateRoom;
}

/**
 * Reasons for attention of a ready instance: a closed gate, a read-only or foreign store, a full volume. They
 * contain no paths.
 */
export function selectReasons(state: {
  readonly refusal: GateRefusal | undefined;
  /** Number of recipes withdrawn since the verification that passed them. */
  readonly withdrawn?: number;
  readonly store: Pick<Store, 'readOnly' | 'standing'>;
  readonly zone: string | undefined;
  readonly full?: FullVolumes;
}): readonly string[] {
  const { refusal, withdrawn = 0, store, zone, full } = state;
  const reasons: string[] = [];
  if (withdrawn > 0 && refusal?.code !== 'SVC-MED-030') {
    const rest = refusal === undefined ? 'the others are available' : 'no recipe is available';
    reasons.push(
      `SVC-MED-012: files of the medium changed after its verification: recipes blocked since: ${withdrawn}; ${rest}`,
    );
  } else if (refusal !== undefined) {
    const { what } = renderError(svcError(refusal.code, { mediaId: refusal.mediaId }), 'en');
    reasons.push(`${refusal.code}: ${what}`);
  }
  if (store.standing === 'foreign' && zone === undefined) {
    reasons.push('the store was made by another instance and is served unverified: no zone is set');
  }
  if (store.readOnly !== undefined) reasons.push('the store is read-only');
  if (full?.store) reasons.push('the volume of the store is nearly full: pushes are refused');
  if (full?.state) {
    reasons.push(
      'the volume of the state is nearly full: accounts and tokens can be changed, tasks may fail',
    );
  }
  return reasons;
}
