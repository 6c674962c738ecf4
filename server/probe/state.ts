import { parseDuration } from '../../src/base/duration.ts';
import type { Direction, RateLimiter } from '../../src/base/link/rate-limiter.ts';
import type { Report } from '../../src/base/report.ts';
import type { ListenerCertificate } from '../../src/certificate/listener-certificate.ts';
import type { Link } from '../../src/link/link.ts';
import type { Instance } from '../../src/operation/instance/instance.ts';
import type { Tasks } from '../../src/task/queue.ts';
import type { Schedule } from '../../src/task/schedule.ts';
import { describeOccupancy } from '../views/retriever.ts';
import { metricTable } from './metric-table.ts';
import type { SampleMeter } from './metrics.ts';
import { conditionNames, type Readiness } from './readiness.ts';

/** Milliseconds between two checks of the occupancy. */
const occupancyInterval = 30_000;

interface StateParts {
  readonly instance: Instance;
  readonly tasks: Pick<Tasks, 'counts' | 'activity'>;
  readonly schedule: Pick<Schedule, 'interval'> | undefined;
  readonly link: Pick<Link, 'record' | 'limiter'>;
  readonly certificate: Pick<ListenerCertificate, 'description'> | undefined;
  /** Requests under way, without probes. */
  readonly active: number;
  readonly readiness: Readiness;
}

const valuesOf = (name: string, label: string): readonly string[] => metricTable[name]?.labels?.[label] ?? [];

/** Sets the gauges of the current state. Nothing here depends on the size of the store. */
export function sampleState(meter: SampleMeter, parts: StateParts): void {
  const { instance, tasks, schedule, link, certificate, active, readiness } = parts;
  const occupancy = describeOccupancy({ instance });
  meter.set('svc_store_occupancy_bytes', occupancy.bytes);
  meter.set('svc_store_occupancy_exceeded', occupancy.exceeded ? 1 : 0);
  if (occupancy.thresholdBytes !== undefined) {
    meter.set('svc_store_occupancy_threshold_bytes', occupancy.thresholdBytes);
  }
  const { quarantine } = instance.scrub.view();
  meter.set('svc_store_quarantine_files', quarantine.files);
  meter.set('svc_store_quarantine_bytes', quarantine.bytes);
  const interval = schedule === undefined ? 0 : parseDuration(schedule.interval.effective);
  meter.set('svc_sync_interval_seconds', (interval ?? 0) / 1000);
  meter.set('svc_link_rate_limit_bytes', link.limiter.rate);
  countLink(meter, link.limiter);
  meter.set('svc_link_open', link.record.windows.open ? 1 : 0);
  meter.set('svc_http_requests_inflight', active);
  sampleTasks(meter, tasks);
  sampleReadiness(meter, readiness);
  meter.remove('svc_listener_certificate_start_timestamp_seconds');
  meter.remove('svc_listener_certificate_expiry_timestamp_seconds');
  if (certificate !== undefined) {
    const { notBefore, notAfter, source } = certificate.description;
    meter.set('svc_listener_certificate_start_timestamp_seconds', Date.parse(notBefore) / 1000, { source });
    meter.set('svc_listener_certificate_expiry_timestamp_seconds', Date.parse(notAfter) / 1000, { source });
  }
}

/** Bytes that the counter has, of each limiter. */
const counted = new WeakMap<Pick<RateLimiter, 'moved'>, Record<Direction, number>>();

/** Adds to the counter the bytes that the limiter has counted since the last call. */
function countLink(meter: SampleMeter, limiter: Pick<RateLimiter, 'moved'>): void {
  const known = counted.get(limiter) ?? { received: 0, sent: 0 };
  counted.set(limiter, known);
  for (const direction of ['received', 'sent'] as const) {
    meter.add('svc_link_bytes_total', limiter.moved[direction] - known[direction], { direction });
    known[direction] = limiter.moved[direction];
  }
}

function sampleTasks(meter: SampleMeter, tasks: StateParts['tasks']): void {
  for (const [status, count] of Object.entries(tasks.counts())) meter.set('svc_tasks', count, { status });
  const { waitingSince, running } = tasks.activity();
  if (waitingSince === undefined) meter.remove('svc_tasks_oldest_pending_timestamp_seconds');
  else meter.set('svc_tasks_oldest_pending_timestamp_seconds', Date.parse(waitingSince) / 1000);
  for (const type of valuesOf('svc_task_running', 'type'))
    meter.set('svc_task_running', running?.type === type ? 1 : 0, { type });
  meter.mask('svc_sync_transfers_inflight', running?.isPaused ? 0 : undefined);
  meter.set('svc_task_done_bytes', running?.bytesDone ?? 0);
  meter.set('svc_task_expected_bytes', running?.bytesTotal ?? 0);
}

function sampleReadiness(meter: SampleMeter, { status, conditions, store, state }: Readiness): void {
  meter.set('svc_ready', status === 'ready' ? 1 : 0);
  for (const condition of conditionNames)
    meter.set('svc_condition', conditions.some(({ name }) => name === condition) ? 1 : 0, { condition });
  meter.remove('svc_volume_size_bytes');
  meter.remove('svc_volume_free_bytes');
  for (const [volume, found] of Object.entries({ store, state })) {
    if (found?.state !== 'present') continue;
    meter.set('svc_volume_size_bytes', found.totalBytes, { volume });
    meter.set('svc_volume_free_bytes', found.freeBytes, { volume });
  }
}

/**
 * Logs when the store exceeds its threshold and when it is below it again.
 *
 * @returns a function that stops the watch
 */
export function watchOccupancy(instance: Instance, report: Report): () => void {
  let exceeded = false;
  const look = (): void => {
    const now = describeOccupancy({ instance });
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
