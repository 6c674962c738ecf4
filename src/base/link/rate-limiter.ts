import { type Clock, systemClock } from './clock.ts';

export type Direction = 'received' | 'sent';

interface Turn {
  left: number;
  readonly done: () => void;
}

/** Part of a second that may be saved up while nothing moves: bounds what a pause adds to the second after it. */
const savedShare = 0.1;
/** Milliseconds between two looks at the queue at least. */
const shortestWait = 4;
/** Bytes that one transfer gets before the next one has its turn. */
const largestShare = 16_384;

/**
 * Caps the bytes a second of all transfers together. Those that wait are served in turns of equal size, so that each gets
 * the same rate, whatever the size of its chunks. Without a cap nothing is queued and no timer runs.
 */
export class RateLimiter {
  readonly #clock: Clock;
  readonly #turns: Turn[] = [];
  readonly #moved = { received: 0, sent: 0 };
  #rate: number;
  /** Bytes that may move now; negative after a turn that was larger. */
  #allowance = 0;
  #at: number;
  #cancel: (() => void) | undefined;

  /** @param rate bytes a second; 0: no cap */
  constructor(rate = 0, clock: Clock = systemClock) {
    this.#rate = rate;
    this.#clock = clock;
    this.#at = clock.monotonic();
  }

  /** Bytes a second; 0 without a cap. */
  get rate(): number {
    return this.#rate;
  }

  /** Bytes that were moved since the start. */
  get moved(): Readonly<Record<Direction, number>> {
    return this.#moved;
  }

  /** Transfers that wait for their turn. */
  get waiting(): number {
    return this.#turns.length;
  }

  /** Largest number of bytes to send at once under the cap, so that they leave evenly; infinite without one. */
  get portion(): number {
    return this.#rate === 0 ? Number.POSITIVE_INFINITY : this.#share;
  }

  get #share(): number {
    return Math.max(256, Math.min(largestShare, Math.floor(this.#rate / 32)));
  }

  /** Changes the cap; transfers under way follow at once. @param rate bytes a second; 0: no cap */
  set(rate: number): void {
    this.#refill();
    this.#rate = rate;
    this.#allowance = Math.min(this.#allowance, rate * savedShare);
    this.#cancel?.();
    this.#cancel = undefined;
    this.#serve();
  }

  /**
   * Counts bytes of a transfer.
   *
   * @param signal ends the wait
   * @returns a promise for their turn, or undefined when they may move at once
   * @throws the reason of the signal
   */
  take(bytes: number, direction: Direction, signal?: AbortSignal): Promise<void> | undefined {
    this.#moved[direction] += bytes;
    if (this.#rate === 0) return undefined;
    this.#refill();
    if (this.#turns.length === 0 && this.#allowance >= bytes) {
      this.#allowance -= bytes;
      return undefined;
    }
    return this.#queue(bytes, signal);
  }

  #queue(bytes: number, signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const turn: Turn = { left: bytes, done: resolve };
    this.#turns.push(turn);
    this.#serve();
    if (signal === undefined) return promise;
    const abort = (): void => {
      const at = this.#turns.indexOf(turn);
      if (at >= 0) this.#turns.splice(at, 1);
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', abort, { once: true });
    return promise.finally(() => signal.removeEventListener('abort', abort));
  }

  #refill(): void {
    const now = this.#clock.monotonic();
    const gained = ((now - this.#at) / 1000) * this.#rate;
    this.#at = now;
    this.#allowance = Math.min(this.#allowance + gained, this.#rate * savedShare);
  }

  #serve(): void {
    if (this.#cancel !== undefined) return;
    const share = this.#share;
    while (this.#turns.length > 0 && (this.#rate === 0 || this.#allowance > 0)) {
      const turn = this.#turns.shift()!;
      const bytes = this.#rate === 0 ? turn.left : Math.min(turn.left, share);
      turn.left -= bytes;
      if (this.#rate > 0) this.#allowance -= bytes;
      if (turn.left > 0) this.#turns.push(turn);
      else turn.done();
    }
    if (this.#turns.length === 0) return;
    const wait = Math.max(shortestWait, Math.ceil((-this.#allowance / this.#rate) * 1000));
    this.#cancel = this.#clock.after(wait, () => {
      this.#cancel = undefined;
      this.#refill();
      this.#serve();
    });
  }
}
