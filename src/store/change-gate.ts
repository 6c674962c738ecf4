/**
 * Runs additions concurrently, and removals (delete, collection, compaction) exclusively. Without it, content
 * that an addition has found present could be removed before the addition is recorded.
 */
export class ChangeGate {
  #shared = 0;
  #exclusive = false;
  readonly #waiting: { readonly exclusive: boolean; readonly enter: () => void }[] = [];

  async shared<T>(work: () => Promise<T>): Promise<T> {
    if (this.#exclusive || this.#waiting.length > 0) await this.#wait(false);
    else this.#shared += 1;
    try {
      return await work();
    } finally {
      this.#shared -= 1;
      this.#admit();
    }
  }

  async exclusive<T>(work: () => Promise<T>): Promise<T> {
    if (this.#exclusive || this.#shared > 0 || this.#waiting.length > 0) await this.#wait(true);
    else this.#exclusive = true;
    try {
      return await work();
    } finally {
      this.#exclusive = false;
      this.#admit();
    }
  }

  #wait(exclusive: boolean): Promise<void> {
    return new Promise((enter) => this.#waiting.push({ exclusive, enter }));
  }

  /** Admits waiters in order of arrival, so that neither kind starves. */
  #admit(): void {
    while (this.#waiting.length > 0 && !this.#exclusive) {
      const { exclusive, enter } = this.#waiting[0]!;
      if (exclusive && this.#shared > 0) return;
      this.#waiting.shift();
      if (exclusive) this.#exclusive = true;
      else this.#shared += 1;
      enter();
    }
  }
}
