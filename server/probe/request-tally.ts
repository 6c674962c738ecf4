import type { Family } from './render-metrics.ts';

interface Series {
  readonly surface: string;
  readonly method: string;
  readonly status: number;
  count: number;
}

interface Durations {
  readonly byMethod: Map<string, Map<number, Series>>;
  /** Answers of each bucket and of none, each counted once. */
  readonly buckets: Float64Array;
  sum: number;
}

/**
 * Counts answers and their durations. Every request passes here, so it makes no object and no key. The metrics library,
 * whose labels are an object, costs a tenth of a small answer.
 */
export class RequestTally {
  readonly #bounds: readonly number[];
  readonly #onSeries: (series: Readonly<Series>) => void;
  readonly #surfaces = new Map<string, Durations>();

  /**
   * @param bounds upper bounds of the buckets in seconds, ascending
   * @param onSeries called with each series before its first answer is counted
   */
  constructor(bounds: readonly number[], onSeries: (series: Readonly<Series>) => void) {
    this.#bounds = bounds;
    this.#onSeries = onSeries;
  }

  add(surface: string, method: string, status: number, seconds: number): void {
    const durations = this.#durationsOf(surface);
    let bucket = 0;
    while (bucket < this.#bounds.length && seconds > this.#bounds[bucket]!) bucket += 1;
    durations.buckets[bucket]! += 1;
    durations.sum += seconds;
    const series = durations.byMethod.get(method)?.get(status) ?? this.#open(surface, method, status);
    series.count += 1;
  }

  /** One sample for each surface, method and status. */
  countSamples(): Family['samples'] {
    return [...this.#surfaces.values()].flatMap(({ byMethod }) =>
      [...byMethod.values()].flatMap((byStatus) =>
        [...byStatus.values()].map(({ surface, method, status, count }) => ({
          value: count,
          labels: { surface, method, status: String(status) },
        })),
      ),
    );
  }

  /** The samples of a histogram for each surface. */
  durationSamples(name: string): Family['samples'] {
    return [...this.#surfaces].flatMap(([surface, { buckets, sum }]) => {
      let count = 0;
      const sample = (bound: number | '+Inf', at: number) => {
        count += buckets[at]!;
        return { metricName: `${name}_bucket`, value: count, labels: { le: bound, surface } };
      };
      const samples = [...this.#bounds.map(sample), sample('+Inf', this.#bounds.length)];
      return [
        ...samples,
        { metricName: `${name}_sum`, value: sum, labels: { surface } },
        { metricName: `${name}_count`, value: count, labels: { surface } },
      ];
    });
  }

  #durationsOf(surface: string): Durations {
    const known = this.#surfaces.get(surface);
    if (known !== undefined) return known;
    const made = { byMethod: new Map(), buckets: new Float64Array(this.#bounds.length + 1), sum: 0 };
    this.#surfaces.set(surface, made);
    return made;
  }

  #open(surface: string, method: string, status: number): Series {
    const series = { surface, method, status, count: 0 };
    this.#onSeries(series);
    const { byMethod } = this.#durationsOf(surface);
    const byStatus = byMethod.get(method) ?? new Map<number, Series>();
    byMethod.set(method, byStatus.set(status, series));
    return series;
  }
}
