interface Running {
  readonly way: string;
  readonly outcome: Promise<void>;
}

/**
 * Work with one result for several callers. Each can do it in its own way, such as a download from another source. One
 * caller at a time does the work of a key. Callers of the same way share its outcome. A caller of another way waits for
 * the end and then runs its own work, which finds an existing result. The failure of one way is no failure of another.
 */
export class SharedWork<K> {
  readonly #running = new Map<K, Running>();

  /**
   * @param way callers with the same way would do the same
   * @param work must return at once where the result is already there
   * @throws the error of the work of this way
   */
  async run(key: K, way: string, work: () => Promise<void>): Promise<void> {
    for (let other = this.#running.get(key); other; other = this.#running.get(key)) {
      if (other.way === way) return other.outcome;
      await other.outcome.catch(() => {});
    }
    const outcome = work().finally(() => this.#running.delete(key));
    this.#running.set(key, { way, outcome });
    return outcome;
  }
}
