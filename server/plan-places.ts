import { svcError } from '../src/base/error.ts';

interface PlanLimits {
  /** Plans of all callers at once; each keeps its document and all resolved content in memory. */
  readonly atOnce: number;
  /** Plans of one caller at once, fewer than all. */
  readonly ofCaller: number;
  /** Maximum time that a caller waits for a place, in milliseconds. */
  readonly wait: number;
  /** Maximum duration of a plan, in milliseconds. */
  readonly duration: number;
}

const planLimits: PlanLimits = { atOnce: 2, ofCaller: 1, wait: 5_000, duration: 300_000 };

/** What is made, in the details of refusals. */
interface PlanNames {
  /** Why no place is free: `other plans are being made`. */
  readonly busy: string;
  /** What took too long, as the subject of a sentence. */
  readonly one: string;
}

const planNames: PlanNames = { busy: 'other plans are being made', one: 'the plan' };

interface Waiter {
  readonly actor: string;
  readonly begin: () => void;
}

/**
 * Limits the plans made at once, and those of one caller, so that one caller cannot use all places. A place that becomes free
 * goes to the caller who has the fewest, then to the one who came first.
 */
export class PlanPlaces {
  readonly #limits: PlanLimits;
  readonly #names: PlanNames;
  /** Number of places of each caller who has some. */
  readonly #held = new Map<string, number>();
  readonly #waiting = new Set<Waiter>();

  /** @param names what the places are for; default: plans */
  constructor(limits: PlanLimits = planLimits, names: PlanNames = planNames) {
    this.#limits = limits;
    this.#names = names;
  }

  /**
   * Makes a plan when there is a place for its caller.
   *
   * @param actor the caller
   * @param signal aborts the wait and the plan
   * @param plan must end when its signal aborts
   * @throws SVC-SRV-006 when no place is free in time or the plan takes too long; the reason of the signal
   */
  async run<T>(actor: string, signal: AbortSignal, plan: (signal: AbortSignal) => Promise<T>): Promise<T> {
    await this.#enter(actor, signal);
    const late = new AbortController();
    const { duration } = this.#limits;
    const timer = setTimeout(
      () => late.abort(toBusy(`${this.#names.one} took more than ${duration} ms`)),
      duration,
    );
    try {
      signal.throwIfAborted();
      return await plan(AbortSignal.any([signal, late.signal]));
    } finally {
      clearTimeout(timer);
      this.#leave(actor);
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
    const timer = setTimeout(() => giveUp(toBusy(this.#names.busy)), this.#limits.wait);
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
    const { atOnce, ofCaller } = this.#limits;
    let free = atOnce;
    for (const count of this.#held.values()) free -= count;
    for (; free > 0; free -= 1) {
      let next: Waiter | undefined;
      for (const waiter of this.#waiting)
        if (next === undefined || this.#count(waiter) < this.#count(next)) next = waiter;
      if (next === undefined || this.#count(next) >= ofCaller) return;
      this.#held.set(next.actor, this.#count(next) + 1);
      next.begin();
    }
  }

  #count({ actor }: Pick<Waiter, 'actor'>): number {
    return this.#held.get(actor) ?? 0;
  }

  #leave(actor: string): void {
    const left = this.#count({ actor }) - 1;
    if (left > 0) this.#held.set(actor, left);
    else this.#held.delete(actor);
  }
}

function toBusy(detail: string) {
  return svcError('SVC-SRV-006', {}, { detail });
}
