import { systemClock } from '../../base/clock.ts';
/**
 * Makes a clock that starts at the system time and does not follow later changes of it, so that leases and
 * uploads expire neither early nor late when the system clock is set.
 *
 * @returns a function that returns milliseconds since the epoch
 */
export function createSteadyClock(): () => number {
  const start = systemClock.wall() - performance.now();
  return () => Math.round(start + performance.now());
}
