/** The pace of work, for documents; all members are absent while it is not known. */
export interface Pace {
  /** Over about the last five seconds. */
  readonly bytesPerSecond?: number;
  /** Until everything is done at this rate; absent while the total is not known, or nothing moves. */
  readonly secondsLeft?: number;
  /** Since the last byte; absent while bytes arrive. */
  readonly stalledSeconds?: number;
}

/** Milliseconds over which a rate is measured. */
const window = 5_000;
/** Milliseconds between two samples at least. */
const shortest = 50;

/** Rate in bytes per second over about the last five seconds, and the time left at that rate. */
export class Rate {
  readonly #samples: { time: number; bytes: number }[] = [];
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
    if (bytes !== last?.bytes) this.#movedAt = time;
    this.#samples.push({ time, bytes });
    while (this.#samples.length > 2 && time - this.#samples[0]!.time > window) this.#samples.shift();
  }

  /** Notes progress without bytes. @param time as in {@link add} */
  touch(time: number): void {
    this.#movedAt = time;
  }

  /** Forgets every sample. */
  clear(): void {
    this.#samples.length = 0;
  }

  /** Bytes per second; 0 while there is one sample at most. */
  get perSecond(): number {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    if (first === undefined || last === undefined || last.time <= first.time) return 0;
    return ((last.bytes - first.bytes) / (last.time - first.time)) * 1000;
  }

  /** The pace of work with this many bytes left; `left` is undefined while the total is not known. */
  toPace(left: number | undefined): Pace {
    if (this.#samples.length < 2) return {};
    const { perSecond } = this;
    const isEnding = perSecond > 0 && left !== undefined && left >= 0;
    return {
      bytesPerSecond: Math.round(perSecond),
      ...(isEnding ? { secondsLeft: Math.ceil(left / perSecond) } : {}),
      ...(perSecond === 0
        ? { stalledSeconds: Math.round((this.#samples.at(-1)!.time - this.#movedAt) / 1000) }
        : {}),
    };
  }
}
