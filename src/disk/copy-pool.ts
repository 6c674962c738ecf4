import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import type { CopyJob, CopyOutcome } from './copy-range.ts';
import { startHashThread } from './hash-thread.ts';

export interface CopyPoolOptions {
  /** Default: one per processor, at most four. */
  readonly threads?: number;
  /** Called about four times a second with the bytes read so far, and once more at the end. */
  readonly onBytes?: (total: number) => void;
}

/** Threads that copy and hash files. Ending the pool stops what is under way. */
export interface CopyPool extends AsyncDisposable {
  /** Jobs that are worth handing in at once. */
  readonly lanes: number;
  copy(job: CopyJob): Promise<CopyOutcome>;
}

interface Waiting {
  readonly settle: (outcome: CopyOutcome) => void;
  readonly fail: (error: unknown) => void;
}

/** Opens threads; they start with the first job. */
export function openCopyPool(options: CopyPoolOptions = {}): CopyPool {
  const threads = Math.max(1, options.threads ?? Math.min(4, availableParallelism()));
  const counter = new SharedArrayBuffer(8);
  const total = (): number => Number(Atomics.load(new BigInt64Array(counter), 0));
  const workers: { readonly worker: Worker; busy: number }[] = [];
  const waiting = new Map<number, Waiting>();
  const { onBytes } = options;
  const timer = onBytes && setInterval(() => onBytes(total()), 250);
  let next = 0;

  const failAll = (error: unknown): void => {
    for (const { fail } of waiting.values()) fail(error);
    waiting.clear();
  };
  const start = (): (typeof workers)[number] => {
    const lane = { worker: startHashThread({ counter }), busy: 0 };
    workers.push(lane);
    lane.worker.on('error', failAll);
    lane.worker.on('message', ({ index, outcome }: { index: number; outcome: CopyOutcome }) => {
      lane.busy -= 1;
      const one = waiting.get(index);
      waiting.delete(index);
      one?.settle(outcome);
    });
    return lane;
  };

  return {
    // one job each waits in the thread while the one before it ends
    lanes: threads * 2,
    copy: (copy) =>
      new Promise((settle, fail) => {
        const idle = workers.find(({ busy }) => busy === 0);
        const lane =
          idle ?? (workers.length < threads ? start() : workers.reduce((a, b) => (b.busy < a.busy ? b : a)));
        const index = next;
        next += 1;
        lane.busy += 1;
        waiting.set(index, { settle, fail });
        lane.worker.postMessage({ index, copy });
      }),
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await Promise.all(workers.map(({ worker }) => worker.terminate()));
      failAll(new Error('the copying was stopped'));
      onBytes?.(total());
    },
  };
}
