import { svcError } from '../src/base/error.ts';

interface PlanLimits {
  /** Plans of all callers at once: each holds its document and all that was resolved for it. */
  readonly atOnce: number;
  /** Milliseconds for which a caller waits for its turn. */
  readonly wait: number;
  /** Milliseconds that a plan may take. */
  readonly duration: number;
}

const defaults: PlanLimits = { atOnce: 2, wait: 5_000, duration: 300_000 };

interface Waiter {
  readonly actor: string;
  readonly begin: () => void;
}

/** Bounds the plans that are made at once: one for each caller, so that no caller takes the places of the others. */
export class PlanPlaces {
  readonly #limits: PlanLimits;
  readonly #running = new Set<string>();
  readonly #waiting = new Set<Waiter>();

  constructor(limits: PlanLimits = defaults) {
    this.#limits = limits;
  }

  /**
   * Makes a plan when there is a place for its caller.
   *
   * @param actor the caller
   * @param signal ends the wait and the plan
   * @param plan has to end when its signal aborts
   * @throws SVC-SRV-006 where no place gets free in time or the plan takes too long; the reason of the signal
   */
  async run<T>(actor: string, signal: AbortSignal, plan: (signal: AbortSignal) => Promise<T>): Promise<T> {
    await this.#enter(actor, signal);
    const late = new AbortController();
    const { duration } = this.#limits;
    const timer = setTimeout(() => late.abort(toBusy(`the plan took more than ${duration} ms`)), duration);
    try {
      signal.throwIfAborted();
      return await plan(AbortSignal.any([signal, late.signal]));
    } finally {
      clearTimeout(timer);
      this.#running.delete(actor);
      this.#admit();
    }
  }

  #enter(actor: string, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter: Waiter = {
      actor,
      begin: () => {
        leave();
        resolve();
      },
    };
    const giveUp = (reason: unknown): void => {
      leave();
      reject(reason as Error);
    };
    const timer = setTimeout(() => giveUp(toBusy('other plans are being made')), this.#limits.wait);
    const abort = (): void => giveUp(signal.reason);
    const leave = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      this.#waiting.delete(waiter);
    };
    signal.addEventListener('abort', abort, { once: true });
    this.#waiting.add(waiter);
    if (signal.aborted) abort();
    this.#admit();
    return promise;
  }

  #admit(): void {
    for (const { actor, begin } of this.#waiting) {
      if (this.#running.size >= this.#limits.atOnce) return;
      if (this.#running.has(actor)) continue;
      this.#running.add(actor);
      begin();
    }
  }
}

function toBusy(detail: string) {
  return svcError('SVC-SRV-006', {}, { detail });
}
