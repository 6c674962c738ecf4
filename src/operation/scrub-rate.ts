import { setTimeout as wait } from 'node:timers/promises';

interface ScrubRateOptions {
  /** Returns the limit in bytes per second. Called before each read. */
  readonly rate: () => number;
  readonly signal: AbortSignal;
}

/** Limits the bytes read per second. Unused capacity is not accumulated, so there are no bursts. */
export class ScrubRate {
  readonly #options: ScrubRateOptions;
  /** Earliest time of the next read, in milliseconds of `performance.now()`. */
  #freeAt = 0;

  constructor(options: ScrubRateOptions) {
    this.#options = options;
  }

  /** Waits until reading `bytes` is within the limit. @throws the reason of the signal */
  async take(bytes: number): Promise<void> {
    const { rate, signal } = this.#options;
    signal.throwIfAborted();
    const now = performance.now();
    this.#freeAt = Math.max(this.#freeAt, now) + (bytes / rate()) * 1000;
    const pause = this.#freeAt - now;
    // a shorter pause is not worth a timer
    if (pause > 5) await wait(pause, undefined, { ref: false, signal });
  }
}
