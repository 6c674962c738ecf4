import { setImmediate as nextTurn } from 'node:timers/promises';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Meter } from '../../src/base/report.ts';

type Kind = 'counter' | 'gauge' | 'histogram';

/** Every metric besides those of the process and the runtime. The values of every label are a closed set. */
export const metricTable: Readonly<
  Record<string, { readonly kind: Kind; readonly help: string; readonly labels?: readonly string[] }>
> = {
  svc_build_info: { kind: 'gauge', help: 'Version and commit of the build', labels: ['version', 'commit'] },
  svc_store_occupancy_bytes: { kind: 'gauge', help: 'Bytes of content in the store' },
  svc_store_occupancy_threshold_bytes: { kind: 'gauge', help: 'Configured occupancy threshold' },
  svc_store_occupancy_exceeded: { kind: 'gauge', help: '1 while the store is over its threshold' },
  svc_store_scrub_runs_total: { kind: 'counter', help: 'Background checks of the whole store completed' },
  svc_store_scrub_bytes_total: { kind: 'counter', help: 'Bytes read by background checks' },
  svc_store_scrub_damaged_total: { kind: 'counter', help: 'Blobs that background checks found damaged' },
  svc_store_scrub_last_completed_timestamp_seconds: {
    kind: 'gauge',
    help: 'End of the last complete background check',
  },
  svc_sync_runs_total: { kind: 'counter', help: 'Synchronizations ended', labels: ['outcome'] },
  svc_sync_duration_seconds: { kind: 'histogram', help: 'Duration of synchronizations' },
  svc_sync_last_success_timestamp_seconds: {
    kind: 'gauge',
    help: 'End of the last successful synchronization',
  },
  svc_sync_transfers_inflight: { kind: 'gauge', help: 'Transfers under way' },
  svc_sync_transferred_bytes_total: { kind: 'counter', help: 'Bytes fetched by synchronizations' },
  svc_ingredients_total: { kind: 'counter', help: 'Ingredients by what became of them', labels: ['status'] },
  svc_promotion_pushes_total: { kind: 'counter', help: 'Promotions by result', labels: ['result'] },
  svc_promotion_pushed_bytes_total: { kind: 'counter', help: 'Bytes pushed into the destination' },
  svc_policy_rejections_total: { kind: 'counter', help: 'Refusals by policy', labels: ['code'] },
  svc_verification_failures_total: { kind: 'counter', help: 'Failed verifications', labels: ['code'] },
  svc_media_verifications_total: { kind: 'counter', help: 'Verified media by verdict', labels: ['verdict'] },
  svc_tasks: { kind: 'gauge', help: 'Retained tasks by status', labels: ['status'] },
  svc_gc_runs_total: { kind: 'counter', help: 'Collections of unreferenced content' },
  svc_gc_reclaimed_bytes_total: { kind: 'counter', help: 'Bytes given back by collections' },
  svc_http_requests_total: {
    kind: 'counter',
    help: 'Requests answered',
    labels: ['surface', 'method', 'status'],
  },
  svc_http_request_duration_seconds: {
    kind: 'histogram',
    help: 'Time to the end of an answer',
    labels: ['surface'],
  },
};

const buckets: Readonly<Record<string, readonly number[]>> = {
  svc_sync_duration_seconds: [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600, 14_400],
  svc_http_request_duration_seconds: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30, 120, 600],
};

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export interface Metrics {
  readonly meter: Meter;
  observeRequest(surface: string, method: string, status: number, seconds: number): void;
  /** Renders the metrics. Calls in the same turn of the event loop share one rendering. */
  render(): Promise<Rendering>;
}

interface Rendering {
  readonly contentType: string;
  readonly body: Buffer;
}

/**
 * Makes the metrics of one instance, in the OpenMetrics text format.
 *
 * @param sample called at each scrape to set the gauges of current state
 */
export function createMetrics(
  build: { readonly version: string; readonly commit: string },
  sample?: (meter: Meter) => void,
): Metrics {
  const registry = new Registry();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE as never);
  collectDefaultMetrics({ register: registry });
  const counters = new Map<string, Counter>();
  const gauges = new Map<string, Gauge>();
  const histograms = new Map<string, Histogram>();
  for (const [name, { kind, help, labels = [] }] of Object.entries(metricTable)) {
    const common = { help, labelNames: [...labels], registers: [registry] };
    // In OpenMetrics, the name of a counter's family has no `_total` suffix; the sample has it.
    if (kind === 'counter') {
      counters.set(name, new Counter({ ...common, name: name.replace(/_total$/, '') }));
    } else if (kind === 'gauge') gauges.set(name, new Gauge({ ...common, name }));
    else histograms.set(name, new Histogram({ ...common, name, buckets: [...(buckets[name] ?? [])] }));
  }
  const meter: Meter = {
    add: (name, value, labels = {}) => {
      const counter = counters.get(name);
      if (counter) counter.inc(labels, value);
      else histograms.get(name)?.observe(labels, value);
    },
    set: (name, value, labels = {}) => gauges.get(name)?.set(labels, value),
  };
  // Without a threshold or a success so far the gauges are absent, since 0 would be a value.
  gauges.get('svc_store_occupancy_threshold_bytes')?.remove();
  gauges.get('svc_sync_last_success_timestamp_seconds')?.remove();
  gauges.get('svc_store_scrub_last_completed_timestamp_seconds')?.remove();
  meter.set('svc_build_info', 1, { version: build.version, commit: build.commit });
  meter.set('svc_store_occupancy_exceeded', 0);
  meter.set('svc_sync_transfers_inflight', 0);
  const draw = async (): Promise<Rendering> => {
    sample?.(meter);
    return { contentType: registry.contentType, body: Buffer.from(await registry.metrics()) };
  };
  let rendering: Promise<Rendering> | undefined;
  return {
    meter,
    observeRequest: (surface, method, status, seconds) => {
      const label = methods.has(method) ? method : 'other';
      meter.add('svc_http_requests_total', 1, { surface, method: label, status: String(status) });
      meter.add('svc_http_request_duration_seconds', seconds, { surface });
    },
    render: () => {
      rendering ??= nextTurn().then(() => {
        rendering = undefined;
        return draw();
      });
      return rendering;
    },
  };
}
