/**
 * Runs `work` over the items, at most `limit` at once, in order of start. All items are run even when some fail;
 * `work` is expected to keep its own failures.
 *
 * @throws the first rejection, after everything under way has settled and without starting more
 */
export async function forEachBounded<T>(
  items: Iterable<T>,
  limit: number,
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.iterator]();
  let index = 0;
  let failed = false;
  let failure: unknown;
  const lane = async (): Promise<void> => {
    for (;;) {
      if (failed) return;
      const next = iterator.next();
      if (next.done) return;
      const position = index;
      index += 1;
      try {
        await work(next.value, position);
      } catch (error) {
        if (!failed) failure = error;
        failed = true;
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, limit) }, lane));
  if (failed) throw failure;
}

/** At most `limit` holders at once; the rest wait in order. */
export class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(limit: number) {
    this.#free = limit;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}

/** Runs work one after the other in order of arrival; a failure reaches its own caller only. */
export class Serial {
  #tail: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(work, work);
    this.#tail = result.catch(() => undefined);
    return result;
  }
}
