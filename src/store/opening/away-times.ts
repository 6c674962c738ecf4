/**
 * Times at which this instance did not have the store open, in milliseconds since the epoch. A file that changed then was
 * not changed by this instance.
 */
export type AwayTimes = readonly (readonly [from: number, to: number])[];

/** Most times that are kept apart. */
const maxTimes = 64;

/**
 * Adds a time at the end. Beyond the limit, the closest two become one: a file that this instance wrote in between is
 * then hashed again when it is needed. Pure.
 */
export function addAwayTime(times: AwayTimes, from: number, to: number): AwayTimes {
  // a clock that was set back leaves no time that can be told from one of use
  const added = [...times, [Math.min(from, to), Math.max(from, to)] as const];
  if (added.length <= maxTimes) return added;
  let closest = 1;
  const gapBefore = (i: number): number => added[i]![0] - added[i - 1]![1];
  for (let i = 2; i < added.length; i += 1) if (gapBefore(i) < gapBefore(closest)) closest = i;
  const [a, b] = [added[closest - 1]!, added[closest]!];
  const merged = [Math.min(a[0], b[0]), Math.max(a[1], b[1])] as const;
  return [...added.slice(0, closest - 1), merged, ...added.slice(closest + 1)];
}

/** Whether a file that changed at this time was changed while this instance did not have the store open. */
export function isAway(times: AwayTimes, at: number): boolean {
  return times.some(([from, to]) => at > from && at <= to);
}

/** Whether a value read from the state is a list of such times. */
export function isAwayTimes(value: unknown): value is AwayTimes {
  const isTime = (one: unknown) => typeof one === 'number' && Number.isFinite(one);
  return (
    Array.isArray(value) &&
    value.length <= maxTimes &&
    value.every((one) => Array.isArray(one) && one.length === 2 && one.every(isTime))
  );
}
