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

/** Items that are sorted or merged in one step. */
const sortedAtOnce = 1024;

/** Sorts items. The order of equal ones stays. @param compare as for `toSorted` */
export function* sortInSteps<T>(items: readonly T[], compare: (a: T, b: T) => number): Steps<readonly T[]> {
  let runs: T[][] = [];
  for (let i = 0; i < items.length; i += sortedAtOnce) {
    runs.push(items.slice(i, i + sortedAtOnce).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let i = 0; i < runs.length; i += 2) {
      const [one, other = []] = runs.slice(i, i + 2) as [T[], T[]?];
      const both: T[] = [];
      for (let [j, k] = [0, 0]; both.length < one.length + other.length; ) {
        const isOne = k === other.length || (j < one.length && compare(one[j]!, other[k]!) <= 0);
        both.push(isOne ? one[j++]! : other[k++]!);
        if (both.length % sortedAtOnce === 0) yield;
      }
      merged.push(both);
    }
    runs = merged;
  }
  return runs[0] ?? [];
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
