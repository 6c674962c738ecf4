/**
 * Runs `work` over the items in order, at most `limit` at once. `work` is expected to handle its own failures; after a
 * rejection no further item is started.
 *
 * @throws the first rejection, after all running work has settled
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
  const worker = async (): Promise<void> => {
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
  await Promise.all(Array.from({ length: Math.max(1, limit) }, worker));
  if (failed) throw failure;
}

/** Allows at most `limit` holders at once; others wait in order. */
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

/** Runs work one after the other in order of arrival; only the caller of failed work gets its failure. */
export class Serial {
  #tail: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(work, work);
    this.#tail = result.catch(() => undefined);
    return result;
  }
}

/** Runs work that shares a key one after the other, in order of arrival; work without a common key runs in parallel. */
export class KeyedSerial {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** Takes all keys in one step, so that two calls never wait for each other. */
  run<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    const before = new Set(keys.flatMap((key) => this.#tails.get(key) ?? []));
    const result = before.size === 0 ? work() : Promise.all(before).then(work);
    const tail = result.then(
      () => undefined,
      () => undefined,
    );
    for (const key of keys) this.#tails.set(key, tail);
    void tail.then(() => {
      for (const key of keys) if (this.#tails.get(key) === tail) this.#tails.delete(key);
    });
    return result;
  }
}
