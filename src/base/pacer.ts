// the global one is looked up through an accessor, which takes longer than the clock
import { performance } from 'node:perf_hooks';
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

/** Work in short steps: a caller that shares the event loop with others lets them take turns between two steps. */
export type Steps<T> = Generator<void, T>;

/** Does all steps at once. */
export function runAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Does the steps in slices. Their data may change between two slices, unless the caller excludes it. */
export async function runInTurns<T>(steps: Steps<T>, pacer: Pacer = new Pacer()): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (pacer.isDue()) await pacer.rest();
  }
}

/** Maps items in slices; undefined results are left out. */
export async function mapInTurns<T, U>(
  items: Iterable<T>,
  map: (item: T) => U | undefined,
  pacer: Pacer = new Pacer(),
): Promise<U[]> {
  const mapped: U[] = [];
  for (const item of items) {
    if (pacer.isDue()) await pacer.rest();
    const value = map(item);
    if (value !== undefined) mapped.push(value);
  }
  return mapped;
}
