import type { Clock } from '../../base/clock.ts';
import { formatDuration } from '../../base/duration.ts';
import { Waits } from '../../base/link/waits.ts';
import { isSvcError } from '../../text/error.ts';
import { planRetry, retriesAfterSilence } from './retry-policy.ts';
import { toSilence, toTransience } from './transience.ts';

interface RetryOptions {
  /** Number of attempts after the first one. */
  readonly retries: number;
  readonly clock: Clock;
  /** Counts the waits, and tells them. */
  readonly waits?: Waits | undefined;
  /** Milliseconds before the first retry. */
  readonly baseDelay?: number | undefined;
  readonly onRetry?: ((error: unknown, attempt: number, delay: number) => void) | undefined;
}

/** Decides after each failure of one piece of work whether it is repeated. */
interface Patience {
  /**
   * Waits before the next attempt.
   *
   * @param signal ends the wait at once
   * @returns false where there is no further attempt
   * @throws the reason of the signal, when it is aborted during the wait
   */
  mayRepeat(error: unknown, signal?: AbortSignal): Promise<boolean>;
  /** Forgets the failures: the work has made progress. */
  reset(): void;
}

/** Milliseconds of a wait, or of a silence, that the log of the task names. */
const worthTelling = 1000;

/** One line about a failure and the next attempt; undefined for a failure that costs no time. */
function toLine(error: unknown, attempt: number, attempts: number, delay: number): string | undefined {
  const { host, reference, detail = String(error) } = isSvcError(error) ? error.params : {};
  const silence = toSilence(error);
  const next = `attempt ${attempt} of ${attempts}`;
  if (silence !== undefined) return `no answer from ${host} for ${formatDuration(silence)}, ${next}`;
  if (delay < worthTelling) return undefined;
  return `${host ?? reference}: ${detail}; ${next} in ${formatDuration(Math.round(delay / 1000) * 1000)}`;
}

/** Creates the patience for one piece of work, by the retry policy. */
export function createPatience(options: RetryOptions): Patience {
  const { retries, clock, waits = new Waits() } = options;
  let failures = 0;
  let silences = 0;
  return {
    async mayRepeat(error, signal) {
      const isSilence = toSilence(error) !== undefined;
      if (isSilence) silences += 1;
      const delay = planRetry(failures, toTransience(error), options);
      if (signal?.aborted || delay === undefined || silences > retriesAfterSilence) return false;
      failures += 1;
      options.onRetry?.(error, failures, delay);
      const attempts = (isSilence ? failures : retries) + 1;
      const line = toLine(error, failures + 1, attempts, delay);
      if (line !== undefined) waits.tell(line);
      const host = isSvcError(error) ? error.params.host : undefined;
      await waits.pause(
        delay,
        clock,
        signal,
        typeof host === 'string' ? { host, attempt: failures + 1, attempts } : undefined,
      );
      return true;
    },
    reset() {
      failures = 0;
      silences = 0;
    },
  };
}

/** Runs `work`, and repeats it by the retry policy while its failures are transient. @param options.signal ends a wait at once */
export async function retry<T>(
  work: () => Promise<T>,
  options: RetryOptions & { readonly signal?: AbortSignal | undefined },
): Promise<T> {
  const { signal } = options;
  const patience = createPatience(options);
  for (;;) {
    try {
      return await work();
    } catch (error) {
      signal?.throwIfAborted();
      if (!(await patience.mayRepeat(error, signal))) throw error;
    }
  }
}
