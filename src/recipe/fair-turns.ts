interface Turn {
  readonly begin: () => void;
}

/**
 * Runs one piece of work at a time. Callers take turns: a caller with much work waiting does not keep another from the
 * next turn. The work of one caller runs in order of arrival.
 */
export class FairTurns {
  /** Work that waits, by caller; the callers in the order of their next turns. */
  readonly #waiting = new Map<string, Set<Turn>>();
  #running = false;

  /**
   * @param caller identity whose work shares a turn
   * @param signal ends the wait; the work itself must end when it aborts
   * @throws the reason of the signal, and errors of the work
   */
  async run<T>(caller: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    if (this.#running) await this.#wait(caller, signal);
    else this.#running = true;
    try {
      return await work();
    } finally {
      this.#next();
    }
  }

  #wait(caller: string, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const own = this.#waiting.get(caller) ?? new Set<Turn>();
    const leave = (): void => {
      signal?.removeEventListener('abort', abort);
      own.delete(turn);
      if (own.size === 0) this.#waiting.delete(caller);
    };
    const turn: Turn = {
      begin: () => {
        leave();
        resolve();
      },
    };
    const abort = (): void => {
      leave();
      reject(signal!.reason as Error);
    };
    signal?.addEventListener('abort', abort, { once: true });
    this.#waiting.set(caller, own.add(turn));
    return promise;
  }

  #next(): void {
    const [first] = this.#waiting;
    if (first === undefined) {
      this.#running = false;
      return;
    }
    const [caller, turns] = first;
    const [turn] = turns;
    // the caller goes behind the others
    this.#waiting.delete(caller);
    if (turns.size > 1) this.#waiting.set(caller, turns);
    turn!.begin();
  }
}
