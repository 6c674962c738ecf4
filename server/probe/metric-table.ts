import { zoneRecipeStates } from '../../src/contract/zone-board.ts';
import { taskStatuses } from '../../src/task/model.ts';
import { errorCodes, errorKinds } from '../../src/text/errors/codes.ts';
import type { ErrorClass } from '../../src/text/errors/registry.ts';
import { conditionNames } from './readiness.ts';

export interface MetricDefinition {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  /** The meaning of the value; shown in the output and in the documentation. */
  readonly help: string;
  /**
   * The values of each label; an empty list if they are not known in advance. A counter with known values is exported
   * with 0 for every combination from the start, because PromQL `increase()` does not count a first sample.
   */
  readonly labels?: Readonly<Record<string, readonly string[]>>;
  /** Upper bounds of the buckets of a histogram. */
  readonly buckets?: readonly number[];
}

const codesOf = (kind: ErrorClass): readonly string[] =>
  errorCodes.filter((code) => errorKinds[code].class === kind);

const volumes = ['store', 'state'];

/** Every metric besides those of the process and the runtime. The values of every label are a closed set; `zone` has the configured zones. */
export const metricTable: Readonly<Record<string, MetricDefinition>> = {
  svc_build_info: {
    kind: 'gauge',
    help: 'Version and commit of the build',
    labels: { version: [], commit: [] },
  },
  svc_ready: { kind: 'gauge', help: '1 while the instance is ready: /readyz answers 200' },
  svc_condition: {
    kind: 'gauge',
    help: '1 while /readyz reports this condition',
    labels: { condition: conditionNames },
  },
  svc_store_occupancy_bytes: { kind: 'gauge', help: 'Bytes of content in the store' },
  svc_store_occupancy_threshold_bytes: { kind: 'gauge', help: 'Configured occupancy threshold' },
  svc_store_occupancy_exceeded: { kind: 'gauge', help: '1 while the store is over its threshold' },
  svc_volume_size_bytes: {
    kind: 'gauge',
    help: 'Size of the volume of the store, and of the state',
    labels: { volume: volumes },
  },
  svc_volume_free_bytes: {
    kind: 'gauge',
    help: 'Bytes that the instance can still write on this volume',
    labels: { volume: volumes },
  },
  svc_store_quarantine_files: { kind: 'gauge', help: 'Damaged blobs in the quarantine of the store' },
  svc_store_quarantine_bytes: { kind: 'gauge', help: 'Bytes in the quarantine of the store' },
  svc_store_scrub_runs_total: { kind: 'counter', help: 'Background checks of the whole store completed' },
  svc_store_scrub_bytes_total: { kind: 'counter', help: 'Bytes read by background checks' },
  svc_store_scrub_damaged_total: { kind: 'counter', help: 'Blobs that background checks found damaged' },
  svc_store_scrub_last_completed_timestamp_seconds: {
    kind: 'gauge',
    help: 'End of the last complete background check',
  },
  svc_sync_runs_total: {
    kind: 'counter',
    help: 'Synchronizations ended',
    labels: { outcome: ['success', 'partial', 'failure', 'interrupted'] },
  },
  svc_sync_duration_seconds: {
    kind: 'histogram',
    help: 'Duration of synchronizations',
    buckets: [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600, 14_400],
  },
  svc_sync_last_outcome: {
    kind: 'gauge',
    help: '1 for the outcome of the last synchronization that was not interrupted',
    labels: { outcome: ['success', 'partial', 'failure'] },
  },
  svc_sync_last_success_timestamp_seconds: {
    kind: 'gauge',
    help: 'End of the last successful synchronization',
  },
  svc_sync_recipes: {
    kind: 'gauge',
    help: 'Recipes of the last synchronization that resolved its Retriever',
    labels: { status: ['complete', 'failed'] },
  },
  svc_sync_interval_seconds: {
    kind: 'gauge',
    help: 'Interval between synchronizations; 0 when they are started by hand only',
  },
  svc_link_rate_limit_bytes: {
    kind: 'gauge',
    help: 'Cap on the bytes a second of all transfers with other hosts; 0 without one',
  },
  svc_link_open: { kind: 'gauge', help: '1 while transfers run: no window is set, or one is open' },
  svc_link_bytes_total: {
    kind: 'counter',
    help: 'Bytes of bodies received from and sent to other hosts',
    labels: { direction: ['received', 'sent'] },
  },
  svc_sync_transfers_inflight: {
    kind: 'gauge',
    help: 'Transfers under way; 0 while a closed window pauses them',
  },
  svc_sync_transferred_bytes_total: { kind: 'counter', help: 'Bytes fetched by synchronizations' },
  svc_ingredients_total: {
    kind: 'counter',
    help: 'Ingredients by the result of synchronizations',
    labels: { status: ['new', 'outdated', 'up-to-date'] },
  },
  svc_promotion_pushes_total: {
    kind: 'counter',
    help: 'Promotions by result',
    labels: { result: ['pushed', 'up-to-date', 'failed', 'skipped'] },
  },
  svc_promotion_pushed_bytes_total: { kind: 'counter', help: 'Bytes pushed into the destination' },
  svc_policy_rejections_total: {
    kind: 'counter',
    help: 'Refusals by policy, of tasks and of requests',
    labels: { code: codesOf('policy') },
  },
  svc_verification_failures_total: {
    kind: 'counter',
    help: 'Failed verifications, of tasks, media and requests',
    labels: { code: codesOf('verification') },
  },
  svc_media_verifications_total: {
    kind: 'counter',
    help: 'Verified media by verdict',
    labels: { verdict: ['pushable', 'partial', 'blocked'] },
  },
  svc_authentication_failures_total: {
    kind: 'counter',
    help: 'Attempts to authenticate that failed, or were refused because of earlier failures',
    labels: { reason: ['wrong', 'throttled'] },
  },
  svc_tasks: {
    kind: 'gauge',
    help: 'Retained tasks by status',
    labels: { status: taskStatuses },
  },
  svc_tasks_oldest_pending_timestamp_seconds: {
    kind: 'gauge',
    help: 'Creation of the task that waits the longest; absent when none waits',
  },
  svc_task_running: {
    kind: 'gauge',
    help: '1 for the type of the task that runs',
    labels: {
      type: [
        'sync',
        'import',
        'media-import',
        'media-write',
        'layout-export',
        'layout-import',
        'fileset-pack',
      ],
    },
  },
  svc_task_done_bytes: { kind: 'gauge', help: 'Bytes that the running task has transferred' },
  svc_task_expected_bytes: { kind: 'gauge', help: 'Bytes that the running task expects to transfer' },
  svc_gc_runs_total: { kind: 'counter', help: 'Collections of unreferenced content' },
  svc_gc_reclaimed_bytes_total: { kind: 'counter', help: 'Bytes given back by collections' },
  svc_listener_certificate_start_timestamp_seconds: {
    kind: 'gauge',
    help: 'Begin of the validity of the certificate of the listener; absent without TLS',
    labels: { source: ['configured', 'adopted', 'generated'] },
  },
  svc_listener_certificate_expiry_timestamp_seconds: {
    kind: 'gauge',
    help: 'End of the validity of the certificate of the listener; absent without TLS',
    labels: { source: ['configured', 'adopted', 'generated'] },
  },
  svc_zone_receipt_age_seconds: {
    kind: 'gauge',
    help: 'Age of the last receipt of a configured zone; absent without one',
    labels: { zone: [] },
  },
  svc_zone_receipt_max_age_seconds: {
    kind: 'gauge',
    help: 'Age after which a receipt or a delivery of the zone is overdue',
    labels: { zone: [] },
  },
  svc_zone_overdue_deliveries: {
    kind: 'gauge',
    help: 'Deliveries to the zone that are overdue: no receipt confirms them',
    labels: { zone: [] },
  },
  svc_zone_recipes: {
    kind: 'gauge',
    help: 'Recipes that a configured zone should have by state, as last read',
    labels: { zone: [], state: zoneRecipeStates },
  },
  svc_http_requests_inflight: { kind: 'gauge', help: 'Requests under way, without probes' },
  svc_http_sent_bytes_total: {
    kind: 'counter',
    help: 'Bytes sent to clients, in headers and bodies; transfers under way are included',
  },
  svc_http_requests_total: {
    kind: 'counter',
    help: 'Requests answered',
    labels: { surface: [], method: [], status: [] },
  },
  svc_http_request_duration_seconds: {
    kind: 'histogram',
    help: 'Time to the end of an answer',
    labels: { surface: [] },
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30, 120, 600],
  },
};

/** Lists every combination of the listed label values; none when a label has values that are not listed. */
export function listLabelSets({
  labels = {},
}: MetricDefinition): readonly Readonly<Record<string, string>>[] {
  return Object.entries(labels).reduce<readonly Record<string, string>[]>(
    (sets, [label, values]) => sets.flatMap((set) => values.map((value) => ({ ...set, [label]: value }))),
    [{}],
  );
}
