/**
 * Waits for work until the signal aborts; the work itself continues.
 *
 * @throws errors of the work; the reason of the signal
 */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason as Error);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
