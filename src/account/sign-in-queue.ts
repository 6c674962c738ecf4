import { resources } from '../base/shares/resources.ts';
import { type Holder, Shares } from '../base/shares/shares.ts';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';

/** Checks that run at once; the memory of each is large. */
const atOnce = 2;

/** The caller of a check. */
export interface SignInAttempt {
  readonly holder: Holder;
  /** Failures of the origin that its budget has not forgotten, and its checks under way. */
  readonly failures: number;
}

interface Waiter extends SignInAttempt {
  readonly begin: () => void;
  readonly refuse: (error: Error) => void;
}

/** Whether an attempt is served before another one that came earlier. */
const isBefore = (one: SignInAttempt, other: SignInAttempt): boolean =>
  one.holder.rank === other.holder.rank ? one.failures < other.failures : one.holder.rank === 'admin';

/**
 * Orders the checks of passwords. Administrators at an address of an earlier sign-in are served first and have a
 * reserve. Then come callers at an address with the fewest failures, then in order of arrival. When all places are
 * taken, the last caller gives way to one with precedence: guesses from many addresses keep no fresh address waiting.
 */
export class SignInQueue {
  readonly #shares = new Shares(resources.signIns);
  readonly #waiting = new Set<Waiter>();
  #running = 0;

  /** @throws SVC-SRV-006 when no place is left; the errors of `work` */
  async run<T>(attempt: SignInAttempt, work: () => Promise<T>): Promise<T> {
    const { holder } = attempt;
    const obstacle = this.#shares.obstacle(holder);
    if (obstacle !== undefined && !(obstacle.of === 'total' && this.#makeRoom(attempt))) throw toBusy();
    this.#shares.add(holder);
    try {
      await this.#enter(attempt);
    } catch (error) {
      this.#shares.give(holder);
      throw error;
    }
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#shares.give(holder);
      this.#admit();
    }
  }

  async #enter(attempt: SignInAttempt): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.add({ ...attempt, begin: resolve, refuse: reject });
    this.#admit();
    await promise;
  }

  /** Refuses the attempt that would be served last. @returns whether one was refused */
  #makeRoom(attempt: SignInAttempt): boolean {
    let last: Waiter | undefined;
    for (const waiter of this.#waiting) if (last === undefined || !isBefore(waiter, last)) last = waiter;
    if (last === undefined || !isBefore(attempt, last)) return false;
    this.#waiting.delete(last);
    last.refuse(toBusy());
    return true;
  }

  #admit(): void {
    while (this.#running < atOnce) {
      let next: Waiter | undefined;
      for (const waiter of this.#waiting) if (next === undefined || isBefore(waiter, next)) next = waiter;
      if (next === undefined) return;
      this.#waiting.delete(next);
      this.#running += 1;
      next.begin();
    }
  }
}

function toBusy() {
  return svcError(
    'SVC-SRV-006',
    {},
    {
      detail: rule([
        'other passwords are being checked',
        fr`d’autres mots de passe sont en cours de contrôle`,
      ]),
    },
  );
}
