/** Runs the work of each key once; later callers get the same outcome. A failure is forgotten, so it can be retried. */
export class Once<K, V> {
  readonly #outcomes = new Map<K, Promise<V>>();

  run(key: K, work: () => Promise<V>): Promise<V> {
    const known = this.#outcomes.get(key);
    if (known) return known;
    const outcome = work();
    this.#outcomes.set(key, outcome);
    outcome.catch(() => this.#outcomes.delete(key));
    return outcome;
  }
}
