import type { Clock } from '../../base/link/clock.ts';
import { Waits } from '../../base/link/waits.ts';
import { planRetry } from './retry-policy.ts';
import { toTransience } from './transience.ts';

interface RetryOptions {
  /** Number of attempts after the first one. */
  readonly retries: number;
  readonly clock: Clock;
  /** Counts the waits. */
  readonly waits?: Waits | undefined;
  /** Ends a wait at once. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds before the first retry. */
  readonly baseDelay?: number | undefined;
  readonly onRetry?: (error: unknown, attempt: number, delay: number) => void;
}

/** Runs `work`, and repeats it by the retry policy while its failures are transient. */
export async function retry<T>(work: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { waits = new Waits() } = options;
  for (let failures = 0; ; failures += 1) {
    try {
      return await work();
    } catch (error) {
      options.signal?.throwIfAborted();
      const delay = planRetry(failures, toTransience(error), options);
      if (delay === undefined) throw error;
      options.onRetry?.(error, failures + 1, delay);
      await waits.pause(delay, options.clock, options.signal);
    }
  }
}
