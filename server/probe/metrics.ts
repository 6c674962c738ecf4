import { setImmediate as nextTurn } from 'node:timers/promises';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { systemClock } from '../../src/base/clock.ts';
import type { Meter } from '../../src/base/report.ts';
import { listLabelSets, metricTable } from './metric-table.ts';
import { type Family, renderOpenMetrics, renderPrometheus } from './render-metrics.ts';
import { RequestTally } from './request-tally.ts';
import { type MetricsFormat, toContentType } from './select-format.ts';

const requests = 'svc_http_requests_total';
const durations = 'svc_http_request_duration_seconds';
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Metrics that are set when they are read. */
export interface SampleMeter extends Meter {
  /** Removes a gauge with all its series: absent says that there is no value. */
  remove(name: string): void;
  /** Shows a value of a gauge without labels in place of the one that was set; undefined: that one again. */
  mask(name: string, value: number | undefined): void;
}

export interface Metrics {
  readonly meter: Meter;
  observeRequest(surface: string, method: string, status: number, seconds: number): void;
  /**
   * Calls `sample` before each rendering, to set the gauges of the current state. Its cost must not depend on the size
   * of the store.
   */
  onSample(sample: (meter: SampleMeter) => void | Promise<void>): void;
  /** Renders the metrics. Calls in the same turn of the event loop share one rendering. */
  render(format: MetricsFormat): Promise<Rendering>;
}

interface Rendering {
  readonly contentType: string;
  readonly body: Buffer;
}

type Labels = Readonly<Record<string, string | number | undefined>>;

/** Identifies a series by its labels, without the bucket of a histogram. */
function toKey(labels: Labels): string {
  // no label contains a line feed
  return Object.entries(labels)
    .flatMap(([name, value]) => (name === 'le' ? [] : `${name}=${value}\n`))
    .join('');
}

/**
 * Makes the metrics of one instance.
 *
 * @param now milliseconds since the epoch
 */
export function createMetrics(
  build: { readonly version: string; readonly commit: string },
  now: () => number = systemClock.wall,
): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const startedAt = now() / 1000;
  const counters = new Map<string, Counter>();
  const gauges = new Map<string, Gauge>();
  const histograms = new Map<string, Histogram>();
  const masks = new Map<string, number>();
  /** When each series of a counter or histogram with open labels was created, in seconds since the epoch. */
  const created = new Map<string, Map<string, number>>();

  const note = (name: string, labels: Labels): void => {
    const known = created.get(name);
    if (known === undefined) return;
    const key = toKey(labels);
    if (!known.has(key)) known.set(key, now() / 1000);
  };
  const meter: SampleMeter = {
    add: (name, value, labels = {}) => {
      const counter = counters.get(name);
      if (counter) counter.inc(labels, value);
      else histograms.get(name)?.observe(labels, value);
      note(name, labels);
    },
    set: (name, value, labels = {}) => gauges.get(name)?.set(labels, value),
    remove: (name) => {
      const gauge = gauges.get(name);
      // a gauge without labels would be 0 again after a reset
      if (Object.keys(metricTable[name]?.labels ?? {}).length === 0) gauge?.remove();
      else gauge?.reset();
    },
    mask: (name, value) => {
      if (value === undefined) masks.delete(name);
      else masks.set(name, value);
    },
  };

  for (const [name, definition] of Object.entries(metricTable)) {
    const { kind, help, labels = {}, buckets = [] } = definition;
    const common = { name, help, labelNames: Object.keys(labels), registers: [registry] };
    if (kind === 'gauge') {
      gauges.set(name, new Gauge(common));
      // absent until it is set, since 0 would be a value
      meter.remove(name);
      continue;
    }
    const sets = listLabelSets(definition);
    if (sets.length === 0) created.set(name, new Map());
    if (kind === 'counter') {
      const counter = new Counter(common);
      counters.set(name, counter);
      for (const set of sets) counter.inc(set, 0);
    } else histograms.set(name, new Histogram({ ...common, buckets: [...buckets] }));
  }
  const tally = new RequestTally(metricTable[durations]!.buckets!, ({ surface, method, status }) => {
    note(requests, { surface, method, status });
    note(durations, { surface });
  });
  const samplesOf = (name: string, kept: Family['samples']): Family['samples'] => {
    if (name === requests) return tally.countSamples();
    if (name === durations) return tally.durationSamples(name);
    const masked = masks.get(name);
    return masked === undefined ? kept : kept.map((sample) => ({ ...sample, value: masked }));
  };
  meter.set('svc_build_info', 1, { version: build.version, commit: build.commit });
  meter.set('svc_store_occupancy_exceeded', 0);
  meter.set('svc_sync_transfers_inflight', 0);

  const toCreated = (name: string, labels: Labels): number | undefined => {
    const known = created.get(name);
    // the histogram of collections of the runtime is filled by the library, which does not tell
    if (known === undefined) return name.startsWith('nodejs_') ? undefined : startedAt;
    return known.get(toKey(labels));
  };

  const samplers: ((meter: SampleMeter) => void | Promise<void>)[] = [];
  const collect = async (): Promise<readonly Family[]> => {
    for (const sample of samplers) await sample(meter);
    const families = (await registry.getMetricsAsJSON()) as unknown as readonly {
      readonly name: string;
      readonly help: string;
      readonly type: Family['kind'];
      readonly values: Family['samples'];
    }[];
    return (
      families
        // sums of the gauge of the same name by type; `_total` is the suffix of counters
        .filter(({ name, type }) => type === 'counter' || !name.endsWith('_total'))
        .map(({ name, help, type, values }) => ({ name, help, kind: type, samples: samplesOf(name, values) }))
    );
  };
  let collected: Promise<readonly Family[]> | undefined;
  const rendered = new Map<MetricsFormat, Promise<Rendering>>();
  const draw = async (format: MetricsFormat): Promise<Rendering> => {
    collected ??= nextTurn().then(() => {
      collected = undefined;
      rendered.clear();
      return collect();
    });
    const families = await collected;
    const text =
      format === 'openmetrics' ? renderOpenMetrics(families, toCreated) : renderPrometheus(families);
    return { contentType: toContentType(format), body: Buffer.from(text) };
  };

  return {
    meter,
    onSample: (sample) => {
      samplers.push(sample);
    },
    observeRequest: (surface, method, status, seconds) =>
      tally.add(surface, methods.has(method) ? method : 'other', status, seconds),
    render: (format) => {
      const known = rendered.get(format);
      if (known !== undefined) return known;
      const rendering = draw(format);
      rendered.set(format, rendering);
      return rendering;
    },
  };
}
