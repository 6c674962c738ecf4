import type { PreparedSync } from '../engine/sync/prepare-sync.ts';
import type { Store } from '../store/model.ts';

/** Maximum time between the trigger and the run, in milliseconds. */
const maxAge = 60_000;

interface Begun {
  readonly prepared: Promise<PreparedSync>;
  /** Head of the store when it began. */
  readonly head: string;
  /** When it began, in milliseconds of `performance.now()`. */
  readonly at: number;
  readonly end: AbortController;
}

/**
 * The plan that a trigger has begun. The next run uses it: it makes the shown changes and asks the sources once. A
 * distant source answers after the trigger was answered.
 */
export class ShownPlan implements Disposable {
  #begun: Begun | undefined;
  /** Every plan that is under way, those that no run will take included. */
  readonly #ends = new Set<AbortController>();

  /**
   * Begins a plan in place of the one before, which its own trigger may still wait for.
   *
   * @param prepare aborted when the run that waits for the plan is, and when this is disposed
   */
  begin(
    { head }: Pick<Store, 'head'>,
    prepare: (signal: AbortSignal) => Promise<PreparedSync>,
  ): Promise<PreparedSync> {
    const end = new AbortController();
    this.#ends.add(end);
    const prepared = prepare(end.signal).finally(() => this.#ends.delete(end));
    // a plan may fail after its trigger was answered, and without a run
    prepared.catch(() => {});
    this.#begun = { prepared, head, at: performance.now(), end };
    return prepared;
  }

  /** Takes a plan back that was shown as an error or refused, unless another one was begun since. */
  drop(prepared: Promise<PreparedSync>): void {
    if (this.#begun?.prepared === prepared) this.#begun = undefined;
  }

  /**
   * Removes the plan, waits for it and returns it. Undefined when there is none, when it is too old, or when the store has
   * changed since it began.
   *
   * @param signal of the run
   * @throws the error of the plan, which is that of the run
   */
  async take(
    store: Pick<Store, 'head' | 'standing'>,
    signal?: AbortSignal,
  ): Promise<PreparedSync | undefined> {
    const begun = this.#begun;
    this.#begun = undefined;
    if (begun === undefined) return undefined;
    const isCurrent = (): boolean => begun.head === store.head && store.standing === 'ours';
    if (!isCurrent() || performance.now() - begun.at > maxAge) {
      begun.end.abort();
      return undefined;
    }
    const abort = (): void => begun.end.abort(signal?.reason);
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort, { once: true });
    try {
      const prepared = await begun.prepared;
      return isCurrent() ? prepared : undefined;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  [Symbol.dispose](): void {
    for (const end of this.#ends) end.abort();
  }
}
