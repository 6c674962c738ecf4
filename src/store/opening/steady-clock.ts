/**
 * The time of the wall when this was made, moved on by a clock that never jumps: what the store has promised to keep for
 * a while is neither given up nor kept for ever because somebody set the clock.
 *
 * @returns milliseconds since the epoch
 */
export function createSteadyClock(): () => number {
  const start = Date.now() - performance.now();
  return () => Math.round(start + performance.now());
}
