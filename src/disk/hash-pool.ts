import { realpath } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import type { HashJob, HashOutcome } from './hash-file.ts';
import { startHashThread } from './hash-thread.ts';

export interface HashFilesOptions<J extends HashJob> {
  readonly onOutcome: (job: J, outcome: HashOutcome) => void;
  readonly signal?: AbortSignal | undefined;
  /** Called about four times a second with the bytes read so far. */
  readonly onBytes?: (total: number) => void;
  /** Default: one per processor, at most four. */
  readonly threads?: number;
}

/**
 * Hashes many files below a root on several threads. Files are never followed through links, and their size is
 * compared before a byte is read.
 *
 * @returns bytes read
 * @throws the signal's reason, or what made a thread fail
 */
export async function hashFiles<J extends HashJob>(
  root: string,
  jobs: Iterable<J>,
  options: HashFilesOptions<J>,
): Promise<number> {
  const workerData = { root: await realpath(root), counter: new SharedArrayBuffer(8) };
  const counter = new BigInt64Array(workerData.counter);
  const iterator = jobs[Symbol.iterator]();
  const underWay = new Map<number, J>();
  const threads = Math.max(1, options.threads ?? Math.min(4, availableParallelism()));
  const workers: Worker[] = [];
  const stop = new AbortController();
  const timer = setInterval(() => options.onBytes?.(Number(Atomics.load(counter, 0))), 250);
  try {
    await new Promise<void>((resolve, reject) => {
      let next = 0;
      let finished = false;
      const feed = (worker: Worker): void => {
        if (finished) return;
        const job = iterator.next();
        if (job.done) {
          finished = true;
          if (underWay.size === 0) resolve();
          return;
        }
        const { path, algorithm, size } = job.value;
        underWay.set(next, job.value);
        worker.postMessage({ index: next, job: { path, algorithm, size } });
        next += 1;
      };
      const { signal } = options;
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true, signal: stop.signal });
      signal?.throwIfAborted();
      for (let i = 0; i < threads; i += 1) {
        const worker = startHashThread(workerData);
        workers.push(worker);
        worker.on('error', reject);
        worker.on('message', ({ index, outcome }: { index: number; outcome: HashOutcome }) => {
          const job = underWay.get(index)!;
          underWay.delete(index);
          try {
            options.onOutcome(job, outcome);
            feed(worker);
          } catch (error) {
            reject(error);
          }
          if (finished && underWay.size === 0) resolve();
        });
        // two jobs each: the next one waits in the thread, not in a message
        feed(worker);
        feed(worker);
      }
    });
  } finally {
    clearInterval(timer);
    stop.abort();
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  const total = Number(Atomics.load(counter, 0));
  options.onBytes?.(total);
  return total;
}
