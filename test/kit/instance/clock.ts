import type { Clock } from '../../../src/base/clock.ts';

/** A clock that stands still until a test moves it. */
export interface ManualClock {
  wall(): number;
  monotonic(): number;
  after(milliseconds: number, callback: () => void): () => void;
  /** Lets time pass, steadily: timers that come due are called in their order. */
  advance(milliseconds: number): void;
  /** Sets the wall clock alone, as an operator or a time server does. */
  jumpWall(milliseconds: number): void;
  /** Timers waiting. */
  readonly timers: number;
}

export function createManualClock(start: number = Date.UTC(2026, 0, 1)): ManualClock {
  let elapsed = 0;
  let wallOffset = start;
  let waiting: { readonly due: number; readonly callback: () => void }[] = [];
  return {
    wall: () => wallOffset + elapsed,
    monotonic: () => elapsed,
    after(milliseconds, callback) {
      const timer = { due: elapsed + milliseconds, callback };
      waiting.push(timer);
      return () => {
        waiting = waiting.filter((other) => other !== timer);
      };
    },
    advance(milliseconds) {
      const until = elapsed + milliseconds;
      for (;;) {
        const next = waiting.filter((timer) => timer.due <= until).sort((a, b) => a.due - b.due)[0];
        if (!next) break;
        waiting = waiting.filter((timer) => timer !== next);
        elapsed = Math.max(elapsed, next.due);
        next.callback();
      }
      elapsed = until;
    },
    jumpWall(milliseconds) {
      wallOffset += milliseconds;
    },
    get timers() {
      return waiting.length;
    },
  };
}

/** The clock of the system, whose timers come due at once. */
export interface HastyClock extends Clock {
  /** Milliseconds of each timer so far. */
  readonly waits: readonly number[];
}

/** @param wall milliseconds since the epoch, where the wall clock stands still */
export function createHastyClock(wall?: number): HastyClock {
  const waits: number[] = [];
  return {
    wall: () => wall ?? Date.now(),
    monotonic: () => performance.now(),
    after(milliseconds, callback) {
      waits.push(milliseconds);
      const soon = setImmediate(callback);
      return () => clearImmediate(soon);
    },
    waits,
  };
}
