/**
 * Waits until all have ended, so that nothing still works behind a failure.
 *
 * @throws what the first of them threw, in order
 */
export async function settleAll<T>(work: readonly Promise<T>[]): Promise<T[]> {
  const values: T[] = [];
  for (const result of await Promise.allSettled(work)) {
    if (result.status === 'rejected') throw result.reason;
    values.push(result.value);
  }
  return values;
}
