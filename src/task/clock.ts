/** Time as the schedule sees it; a test brings its own. */
export interface Clock {
  /** Milliseconds since the epoch. May jump. */
  wall(): number;
  /** Milliseconds that only grow, and steadily. */
  monotonic(): number;
  /** Calls back once after so many milliseconds; the answer cancels it. A pending timer keeps no process alive. */
  after(milliseconds: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  wall: () => Date.now(),
  monotonic: () => performance.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds).unref();
    return () => clearTimeout(timer);
  },
};
