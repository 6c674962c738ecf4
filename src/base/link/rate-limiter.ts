import { type Clock, systemClock } from '../clock.ts';

export type Direction = 'received' | 'sent';

export interface TurnOptions {
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
  /** Whether the bytes are those of a document, for which the work waits, and not those of a blob. Default: no. */
  readonly isDocument?: boolean | undefined;
}

interface Turn {
  left: number;
  readonly done: () => void;
}

/** Part of a second that may be saved up while nothing moves: bounds the burst after a pause. */
const savedShare = 0.1;
/** Milliseconds between two looks at the queue at least. */
const shortestWait = 4;
/** Bytes that one transfer gets before the next one has its turn. */
const largestShare = 16_384;
/** Seconds of the cap that documents may use in advance. A peer does not wait much longer for a reader of its blob. */
const creditSeconds = 10;
/** Bytes that documents may use in advance at most. */
const largestCredit = 1 << 20;

/**
 * Caps the bytes a second of all transfers together. Those that wait are served in turns of equal size, so that each
 * gets the same rate, for any size of chunks. Documents are short, and work waits for them. They use some seconds of
 * the cap in advance, for which all transfers then wait, and beyond that every second turn. Without a cap nothing is
 * queued and no timer runs.
 */
export class RateLimiter {
  readonly #clock: Clock;
  readonly #blobs: Turn[] = [];
  readonly #documents: Turn[] = [];
  readonly #moved = { received: 0, sent: 0 };
  #rate: number;
  /** Bytes that may move now; negative after a larger turn, and after use in advance. */
  #allowance = 0;
  /** Bytes by which documents are ahead of the blobs that wait. */
  #advanced = 0;
  /** Whether the last turn was that of a blob. */
  #wasBlob = true;
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
    return this.#blobs.length + this.#documents.length;
  }

  /** Largest number of bytes to send at once under the cap, so that they leave evenly; infinite without one. */
  get portion(): number {
    return this.#rate === 0 ? Number.POSITIVE_INFINITY : this.#share;
  }

  get #share(): number {
    return Math.max(256, Math.min(largestShare, Math.floor(this.#rate / 32)));
  }

  get #credit(): number {
    return Math.min(this.#rate * creditSeconds, largestCredit);
  }

  /** Changes the cap; transfers under way follow at once. @param rate bytes a second; 0: no cap */
  set(rate: number): void {
    this.#refill();
    this.#rate = rate;
    this.#allowance = Math.max(Math.min(this.#allowance, rate * savedShare), -this.#credit);
    this.#rest();
    this.#serve();
  }

  /**
   * Counts bytes of a transfer.
   *
   * @returns a promise for their turn, or undefined when they may move at once
   * @throws the reason of the signal
   */
  take(bytes: number, direction: Direction, options: TurnOptions = {}): Promise<void> | undefined {
    this.#moved[direction] += bytes;
    if (this.#rate === 0) return undefined;
    this.#refill();
    const { isDocument = false, signal } = options;
    const mayMove = isDocument ? this.#mayAdvance(bytes) : this.waiting === 0 && this.#allowance >= bytes;
    if (!mayMove) return this.#queue(isDocument ? this.#documents : this.#blobs, bytes, signal);
    this.#allowance -= bytes;
    if (isDocument) this.#advanced += bytes;
    return undefined;
  }

  /** Whether a document may move at once. Blobs that wait catch up before the credit is used again. */
  #mayAdvance(bytes: number): boolean {
    const due = Math.max(0, -this.#allowance);
    if (this.#blobs.length === 0) this.#advanced = due;
    return this.#documents.length === 0 && Math.max(due, this.#advanced) + bytes <= this.#credit;
  }

  #queue(turns: Turn[], bytes: number, signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const turn: Turn = { left: bytes, done: resolve };
    turns.push(turn);
    this.#serve();
    if (signal === undefined) return promise;
    const abort = (): void => {
      const at = turns.indexOf(turn);
      if (at >= 0) turns.splice(at, 1);
      if (this.waiting === 0) this.#rest();
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', abort, { once: true });
    return promise.finally(() => signal.removeEventListener('abort', abort));
  }

  /** The queue whose turn it is: documents and blobs alternate where both wait. */
  #selectTurns(): Turn[] {
    this.#wasBlob = this.#documents.length === 0 || (!this.#wasBlob && this.#blobs.length > 0);
    return this.#wasBlob ? this.#blobs : this.#documents;
  }

  #refill(): void {
    const now = this.#clock.monotonic();
    const gained = ((now - this.#at) / 1000) * this.#rate;
    this.#at = now;
    this.#allowance = Math.min(this.#allowance + gained, this.#rate * savedShare);
  }

  /** Ends the timer: one that nothing waits for would keep the process running. */
  #rest(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #serve(): void {
    if (this.#cancel !== undefined) return;
    const share = this.#share;
    while (this.waiting > 0 && (this.#rate === 0 || this.#allowance > 0)) {
      const turns = this.#selectTurns();
      const turn = turns.shift()!;
      const bytes = this.#rate === 0 ? turn.left : Math.min(turn.left, share);
      turn.left -= bytes;
      if (this.#rate > 0) this.#allowance -= bytes;
      this.#advanced = Math.max(0, this.#advanced + (this.#wasBlob ? -bytes : bytes));
      if (turn.left > 0) turns.push(turn);
      else turn.done();
    }
    if (this.waiting === 0) return;
    const wait = Math.max(shortestWait, Math.ceil((-this.#allowance / this.#rate) * 1000));
    this.#cancel = this.#clock.after(wait, () => {
      this.#cancel = undefined;
      this.#refill();
      this.#serve();
    });
  }
}
