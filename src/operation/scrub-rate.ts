import { setTimeout as wait } from 'node:timers/promises';

interface ScrubRateOptions {
  /** Bytes a second, asked before each read. */
  readonly rate: () => number;
  readonly signal: AbortSignal;
}

/** Bounds how much is read in a second. Pauses are never made up for: there are no bursts. */
export class ScrubRate {
  readonly #options: ScrubRateOptions;
  /** When the next read may begin, on the clock of this process. */
  #freeAt = 0;

  constructor(options: ScrubRateOptions) {
    this.#options = options;
  }

  /** Waits until these bytes fit in. @throws the signal's reason */
  async take(bytes: number): Promise<void> {
    const { rate, signal } = this.#options;
    signal.throwIfAborted();
    const now = performance.now();
    this.#freeAt = Math.max(this.#freeAt, now) + (bytes / rate()) * 1000;
    const pause = this.#freeAt - now;
    // less is not worth a timer
    if (pause > 5) await wait(pause, undefined, { ref: false, signal });
  }
}
