/** The source of the time. Functions that decide by the time take it as a parameter; tests supply their own. */
export interface Clock {
  /** Milliseconds since the epoch on the system clock, which may be set. */
  wall(): number;
  /** Milliseconds on a monotonic clock. */
  monotonic(): number;
  /**
   * Calls `callback` once after a delay in milliseconds. A pending timer keeps the process running, since work may wait
   * for it: the caller cancels a timer that is no longer needed.
   *
   * @returns a function that cancels the timer
   */
  after(milliseconds: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  wall: () => Date.now(),
  monotonic: () => performance.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** The time in RFC 3339, UTC, with milliseconds. */
export const toStamp = (clock: Pick<Clock, 'wall'> = systemClock): string =>
  new Date(clock.wall()).toISOString();
