/** The pace of work, for documents; all members are absent while it is not known. */
export interface Pace {
  /** Over about the last five seconds. */
  readonly bytesPerSecond?: number;
  /** Over the last quarter of an hour at most; absent while bytes arrive without a pause. */
  readonly averageBytesPerSecond?: number;
  /** Until everything is done at this rate, or at the average; absent while the total is not known, or work has stalled. */
  readonly secondsLeft?: number;
  /** Since the last byte; absent while bytes arrive. */
  readonly stalledSeconds?: number;
  /** The longest pause between two bytes in the last quarter of an hour; absent without one of ten seconds. */
  readonly pauseSeconds?: number;
}

interface Sample {
  readonly time: number;
  readonly bytes: number;
}

/** Milliseconds over which a rate is measured. */
const window = 5_000;
/** Milliseconds between two samples at least. */
const shortest = 50;
/** Milliseconds over which the average is measured, and pauses are remembered. */
const longWindow = 900_000;
/** Milliseconds between two samples of the average at least. */
const longStep = 10_000;
/** Milliseconds without a byte that are a pause. */
const leastPause = 10_000;

/** Seconds without a byte from which on work has stalled, where bytes came without a pause before. */
const stallsAfter = 60;
/** The same after the longest pauses. */
const stallsAtLast = 600;

/**
 * Whether work has moved nothing for so long. After a pause, only one of twice its length is told: on a thin link, bytes come
 * at long intervals.
 */
export const hasStalled = ({
  stalledSeconds = 0,
  pauseSeconds = 0,
}: Pick<Pace, 'stalledSeconds' | 'pauseSeconds'>): boolean =>
  stalledSeconds >= Math.max(stallsAfter, Math.min(stallsAtLast, 2 * pauseSeconds));

/** Bytes per second between two samples; 0 without them. */
function between(first: Sample | undefined, last: Sample | undefined): number {
  if (first === undefined || last === undefined || last.time <= first.time) return 0;
  return ((last.bytes - first.bytes) / (last.time - first.time)) * 1000;
}

/** Rate in bytes per second over about the last five seconds, its average, and the time left. */
export class Rate {
  readonly #samples: Sample[] = [];
  /** Samples of the average, from the first byte on. */
  readonly #long: Sample[] = [];
  #pauses: { readonly end: number; readonly length: number }[] = [];
  /** Time of the sample in which the bytes changed last. */
  #movedAt = 0;

  /**
   * Takes a sample. A sample with fewer bytes than the last one begins a new measurement.
   *
   * @param time milliseconds of a monotonic clock
   * @param bytes done so far
   */
  add(time: number, bytes: number): void {
    const newest = this.#samples.at(-1);
    if (newest !== undefined && (bytes < newest.bytes || time - newest.time < shortest)) {
      if (bytes < newest.bytes) this.clear();
      else return;
    }
    const last = this.#samples.at(-1);
    if (bytes !== last?.bytes) this.#move(time, last);
    this.#samples.push({ time, bytes });
    while (this.#samples.length > 2 && time - this.#samples[0]!.time > window) this.#samples.shift();
    const long = this.#long.at(-1);
    if (long !== undefined && time - long.time >= longStep) this.#long.push({ time, bytes });
    while (this.#long.length > 2 && time - this.#long[0]!.time > longWindow) this.#long.shift();
    this.#pauses = this.#pauses.filter(({ end }) => time - end <= longWindow);
  }

  /** Notes that bytes have come. What was before the first byte is no pause, and not in the average. */
  #move(time: number, last: Sample | undefined): void {
    const length = time - this.#movedAt;
    if (this.#long.length > 0 && length >= leastPause) this.#pauses.push({ end: time, length });
    if (this.#long.length === 0 && last !== undefined) this.#long.push(last);
    this.#movedAt = time;
  }

  /** Notes progress without bytes. @param time as in {@link add} */
  touch(time: number): void {
    this.#movedAt = time;
  }

  /** Forgets every sample. */
  clear(): void {
    this.#samples.length = 0;
    this.#long.length = 0;
    this.#pauses = [];
  }

  /** Bytes per second; 0 while there is one sample at most. */
  get perSecond(): number {
    return between(this.#samples[0], this.#samples.at(-1));
  }

  /** The pace of work with this many bytes left; `left` is undefined while the total is not known. */
  toPace(left: number | undefined): Pace {
    if (this.#samples.length < 2) return {};
    const { perSecond } = this;
    const last = this.#samples.at(-1)!;
    const pauseSeconds = Math.round(Math.max(0, ...this.#pauses.map(({ length }) => length)) / 1000);
    const still = {
      ...(perSecond === 0 ? { stalledSeconds: Math.round((last.time - this.#movedAt) / 1000) } : {}),
      ...(pauseSeconds === 0 ? {} : { pauseSeconds }),
    };
    const isEven = perSecond > 0 && pauseSeconds === 0;
    const average = isEven ? 0 : between(this.#long[0], last);
    const shown = isEven ? perSecond : average;
    const isEnding = shown > 0 && left !== undefined && left >= 0 && !hasStalled(still);
    return {
      bytesPerSecond: Math.round(perSecond),
      ...(Math.round(average) > 0 ? { averageBytesPerSecond: Math.round(average) } : {}),
      ...(isEnding ? { secondsLeft: Math.ceil(left / shown) } : {}),
      ...still,
    };
  }
}
