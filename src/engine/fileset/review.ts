/** Milliseconds from a change until the work, so that the next changes share it. */
const gathering = 250;
/** Part of the time that the work may take while changes go on. */
const share = 0.1;

/** Work that follows changes. */
export interface Review {
  /** Has the work done soon, once for all changes until then. */
  ask(): void;
  /** Resolves when no more work is requested. */
  idle(): Promise<void>;
  /** Waits for work that runs; no further work is done. */
  end(): Promise<void>;
}

/**
 * Runs work some time after each change, at most a tenth of the time: work that takes long rests longer.
 *
 * @param work must not throw
 */
export function createReview(work: () => Promise<void>): Review {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isAsked = false;
  let isEnded = false;
  let restUntil = Number.NEGATIVE_INFINITY;
  let waiting = Promise.withResolvers<void>();
  waiting.resolve();

  const begin = (): void => {
    timer = undefined;
    isAsked = false;
    const started = performance.now();
    running = work().finally(() => {
      running = undefined;
      const ended = performance.now();
      restUntil = ended + (ended - started) * (1 / share - 1);
      if (isAsked && !isEnded) plan();
      else waiting.resolve();
    });
  };
  const plan = (): void => {
    timer = setTimeout(begin, Math.max(gathering, restUntil - performance.now()));
  };

  return {
    ask: () => {
      if (isEnded || isAsked) return;
      if (timer === undefined && running === undefined) waiting = Promise.withResolvers();
      isAsked = true;
      if (running === undefined) plan();
    },
    idle: () => waiting.promise,
    end: async () => {
      isEnded = true;
      clearTimeout(timer);
      timer = undefined;
      await running;
      waiting.resolve();
    },
  };
}
