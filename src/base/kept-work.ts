/** A value with its size in memory, in bytes. */
export interface Weighed<V> {
  readonly value: V;
  readonly bytes: number;
}

/**
 * Results that never change, by key, up to a number of bytes: the least recently used ones are dropped. Callers that ask for
 * one while it is being made share the work. A failure is not kept, and neither is a result of `undefined`.
 */
export class KeptWork<K, V> {
  readonly #limit: number;
  /** The least recently used first. */
  readonly #kept = new Map<K, Weighed<V>>();
  readonly #running = new Map<K, Promise<V | undefined>>();
  #bytes = 0;

  /** @param limit bytes of all results; one of more than a quarter of them is not kept */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Returns a result that is kept. */
  get(key: K): V | undefined {
    const known = this.#kept.get(key);
    if (known === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, known);
    return known.value;
  }

  /** @throws the error of the work */
  async run(key: K, work: () => Promise<Weighed<V> | undefined>): Promise<V | undefined> {
    const known = this.get(key);
    if (known !== undefined) return known;
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const outcome = (async () => {
      const made = await work();
      if (made !== undefined) this.#keep(key, made);
      return made?.value;
    })().finally(() => this.#running.delete(key));
    this.#running.set(key, outcome);
    return outcome;
  }

  #keep(key: K, made: Weighed<V>): void {
    if (made.bytes > this.#limit / 4) return;
    this.#kept.set(key, made);
    this.#bytes += made.bytes;
    for (const [oldest, { bytes }] of this.#kept) {
      if (this.#bytes <= this.#limit) break;
      this.#kept.delete(oldest);
      this.#bytes -= bytes;
    }
  }
}
