import type { Clock } from '../clock.ts';

/**
 * Waits on a clock. An abort ends the wait at once.
 *
 * @throws the reason of the signal
 */
function pause(milliseconds: number, clock: Clock, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      cancel();
      reject(signal!.reason as Error);
    };
    const cancel = clock.after(milliseconds, () => {
      signal?.removeEventListener('abort', leave);
      resolve();
    });
    if (signal?.aborted) leave();
    else signal?.addEventListener('abort', leave, { once: true });
  });
}

/** The next attempt that a wait is for. */
export interface Attempt {
  readonly host: string;
  /** From 1 on; the first repetition is 2. */
  readonly attempt: number;
  readonly attempts: number;
}

/** Milliseconds of a wait that does not count. */
const short = 1000;

/**
 * The waits of requests for peers that fail or ask to come back later. Shows a caller that stops work whether that work
 * only waits.
 */
export class Waits {
  #count = 0;
  /** Attempts that are waited for, in the order of their waits. */
  readonly #attempts = new Set<Attempt>();
  readonly #listeners = new Set<() => void>();
  readonly #readers = new Set<(line: string) => void>();
  readonly #ending = new AbortController();

  /** Whether a wait of a second or more is under way. */
  get isWaiting(): boolean {
    return this.#count > 0;
  }

  /** The attempt that is waited for since the longest time; undefined while none is. */
  get attempt(): Attempt | undefined {
    const [first] = this.#attempts;
    return first;
  }

  /** Calls `listener` when such a wait begins. @returns a function that removes the listener */
  onWait(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls `reader` with a line for each failure that costs time. @returns a function that removes the reader */
  onLine(reader: (line: string) => void): () => void {
    this.#readers.add(reader);
    return () => this.#readers.delete(reader);
  }

  tell(line: string): void {
    for (const reader of this.#readers) reader(line);
  }

  /** Ends all waits, and all that would begin later. @param reason error that they throw */
  end(reason: Error): void {
    this.#ending.abort(reason);
  }

  /**
   * Waits on a clock.
   *
   * @param attempt that the wait is for
   * @throws the reason of the signal, and that of `end`, at once
   */
  async pause(milliseconds: number, clock: Clock, signal?: AbortSignal, attempt?: Attempt): Promise<void> {
    const isCounted = milliseconds >= short;
    const told = isCounted ? attempt : undefined;
    if (isCounted) this.#count += 1;
    if (told !== undefined) this.#attempts.add(told);
    try {
      const signals = [...(signal ? [signal] : []), this.#ending.signal];
      const over = pause(milliseconds, clock, AbortSignal.any(signals));
      if (isCounted) for (const listener of this.#listeners) listener();
      await over;
    } finally {
      if (isCounted) this.#count -= 1;
      if (told !== undefined) this.#attempts.delete(told);
    }
  }
}
