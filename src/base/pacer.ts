import { setImmediate as nextTurn } from 'node:timers/promises';

/** Splits long work into slices, so that the event loop is never blocked for longer than about `slice` milliseconds. */
export class Pacer {
  readonly #slice: number;
  #start = performance.now();

  constructor(slice = 4) {
    this.#slice = slice;
  }

  /** Returns whether the slice is over: cheap enough to be called for each item. */
  isDue(): boolean {
    return performance.now() - this.#start >= this.#slice;
  }

  async rest(): Promise<void> {
    await nextTurn();
    this.#start = performance.now();
  }
}
