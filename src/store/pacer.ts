import { setImmediate as nextTurn } from 'node:timers/promises';

/** Cuts long work into slices, so that the event loop is never held for longer than about `slice` milliseconds. */
export class Pacer {
  readonly #slice: number;
  #start = performance.now();

  constructor(slice = 4) {
    this.#slice = slice;
  }

  /** Asked often: cheap enough to be called for each item. */
  isDue(): boolean {
    return performance.now() - this.#start >= this.#slice;
  }

  async rest(): Promise<void> {
    await nextTurn();
    this.#start = performance.now();
  }
}
