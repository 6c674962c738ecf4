import { setTimeout as sleep } from 'node:timers/promises';

interface RetryOptions {
  /** Number of attempts after the first one. */
  readonly retries: number;
  /** Returns whether the failure may be transient, the minimum wait in milliseconds (a `Retry-After`), or false to stop. */
  readonly isTransient: (error: unknown) => boolean | number;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds before the second attempt; doubled for each one after, with jitter, up to `maxDelay`. */
  readonly baseDelay?: number;
  readonly maxDelay?: number;
  readonly onRetry?: (error: unknown, attempt: number, delay: number) => void;
}

/** Runs `work`, and repeats it with exponential backoff while its failures are transient. */
export async function retry<T>(work: (attempt: number) => Promise<T>, options: RetryOptions): Promise<T> {
  const { baseDelay = 250, maxDelay = 30_000 } = options;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work(attempt);
    } catch (error) {
      options.signal?.throwIfAborted();
      const transient = attempt < options.retries && options.isTransient(error);
      if (transient === false) throw error;
      const backoff = Math.min(maxDelay, baseDelay * 2 ** attempt) * (0.5 + Math.random() / 2);
      const delay = Math.max(backoff, typeof transient === 'number' ? transient : 0);
      options.onRetry?.(error, attempt + 1, delay);
      await sleep(delay, undefined, options.signal ? { signal: options.signal } : {});
    }
  }
}
