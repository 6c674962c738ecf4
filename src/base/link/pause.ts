import type { Clock } from '../clock.ts';

/**
 * Waits on a clock. An abort ends the wait at once.
 *
 * @throws the reason of the signal
 */
export function pause(milliseconds: number, clock: Clock, signal?: AbortSignal): Promise<void> {
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
