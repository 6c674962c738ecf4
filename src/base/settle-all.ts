/**
 * Waits until all work has ended, so that none continues after a failure.
 *
 * @throws the error of the first failed work, in the order of the list
 */
export async function settleAll<T>(work: readonly Promise<T>[]): Promise<T[]> {
  const values: T[] = [];
  for (const result of await Promise.allSettled(work)) {
    if (result.status === 'rejected') throw result.reason;
    values.push(result.value);
  }
  return values;
}
