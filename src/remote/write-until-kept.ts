import { setTimeout as sleep } from 'node:timers/promises';

/** Number of writes, while other writers replace them. */
const attempts = 8;
/** Milliseconds to wait at least, and at most, before the last look at the written content. */
const [shortest, longest] = [300, 10_000];

/**
 * Merges into a place that has no conditional write, where another writer that has read the place earlier replaces it
 * later. The written content must therefore outlast the time that such a writer needs between its read and its write.
 * This time is estimated from our own.
 *
 * @param merge reads the place, and writes it unless it contains everything already; returns whether it wrote
 * @returns false when other writers have replaced it each time
 * @throws the errors of `merge`, and of the signal
 */
export async function writeUntilKept(
  merge: () => Promise<boolean>,
  signal?: AbortSignal | undefined,
): Promise<boolean> {
  let isWaited = true;
  let took = 0;
  for (let written = 0; written <= attempts; ) {
    const start = performance.now();
    if (await merge()) {
      took = performance.now() - start;
      written += 1;
      isWaited = false;
    } else if (isWaited) return true;
    else {
      // not all writers at the same time again
      const wait = Math.min(longest, Math.max(shortest, 3 * took)) * (1 + Math.random() / 2);
      await sleep(wait, undefined, { signal });
      isWaited = true;
    }
  }
  return false;
}
