import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import type { CopyJob, CopyOutcome } from './copy-range.ts';
import { startHashThread } from './hash-thread.ts';
import { restoreOutcome } from './restore-outcome.ts';
import { toStartError } from './start-error.ts';
import type { SmallWrites, SmallWritesOutcome } from './write-small.ts';

interface CopyPoolOptions {
  /** Default: one per processor, at most four. */
  readonly threads?: number;
  /** Called about four times a second with the bytes read so far, and once more at the end. */
  readonly onBytes?: ((total: number) => void) | undefined;
  /** Stops the jobs in progress. */
  readonly signal?: AbortSignal | undefined;
}

/** Threads that copy and hash files. Disposal of the pool stops the jobs in progress. */
export interface CopyPool extends AsyncDisposable {
  /** Number of jobs worth starting at once. */
  readonly concurrency: number;
  /** Bytes read so far. */
  readonly bytes: number;
  copy(job: CopyJob): Promise<CopyOutcome>;
  /** Writes small files. Their thread copies large ones while it waits for the disk of these. */
  writeSmall(job: SmallWrites): Promise<SmallWritesOutcome>;
}

interface Waiting {
  /** The source, or a small file. */
  readonly path: string;
  readonly settle: (outcome: never) => void;
  readonly fail: (error: unknown) => void;
}

/** Opens threads; they start with the first job. A job that was stopped rejects with any error. */
export function openCopyPool(options: CopyPoolOptions = {}): CopyPool {
  const threads = Math.max(1, options.threads ?? Math.min(4, availableParallelism()));
  const counter = new SharedArrayBuffer(8);
  const total = (): number => Number(Atomics.load(new BigInt64Array(counter), 0));
  const workers: { readonly worker: Worker; busy: number; hasAnswered: boolean }[] = [];
  const waiting = new Map<number, Waiting>();
  const { onBytes, signal } = options;
  const timer = onBytes && setInterval(() => onBytes(total()), 250);
  let next = 0;

  const failAll = (toError: (path: string) => unknown): void => {
    for (const { path, fail } of waiting.values()) fail(toError(path));
    waiting.clear();
  };
  /** @throws SVC-STO-014 */
  const start = (path: string): (typeof workers)[number] => {
    let worker: Worker;
    try {
      worker = startHashThread({ counter });
    } catch (error) {
      throw toStartError(error, path);
    }
    const thread = { worker, busy: 0, hasAnswered: false };
    workers.push(thread);
    thread.worker.on('error', (error) => {
      // a thread that has ended answers nobody: the next job starts another
      workers.splice(workers.indexOf(thread), 1);
      failAll((path) => (thread.hasAnswered ? error : toStartError(error, path)));
    });
    thread.worker.on('message', ({ index, outcome }: { index: number; outcome: never }) => {
      thread.busy -= 1;
      thread.hasAnswered = true;
      const one = waiting.get(index);
      waiting.delete(index);
      one?.settle(restoreOutcome(outcome));
    });
    return thread;
  };

  const ask = <T>(path: string, request: object, transfer: readonly ArrayBuffer[] = []): Promise<T> =>
    new Promise((settle, fail) => {
      const idle = workers.find(({ busy }) => busy === 0);
      const thread =
        idle ??
        (workers.length < threads ? start(path) : workers.reduce((a, b) => (b.busy < a.busy ? b : a)));
      const index = next;
      next += 1;
      thread.busy += 1;
      waiting.set(index, { path, settle, fail });
      thread.worker.postMessage({ index, ...request }, transfer);
    });

  const stop = async (): Promise<void> => {
    await Promise.all(workers.map(({ worker }) => worker.terminate()));
    failAll(() => new Error('the copying was stopped'));
  };
  const onAbort = (): void => void stop();
  signal?.addEventListener('abort', onAbort, { once: true });

  return {
    // one job waits in each thread while the job before it ends
    concurrency: threads * 2,
    get bytes() {
      return total();
    },
    copy: (copy) => ask(join(copy.source.root, copy.source.path), { copy }),
    writeSmall: (write) => ask(write.files[0]?.path ?? '', { write }, [write.bytes.buffer]),
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      signal?.removeEventListener('abort', onAbort);
      await stop();
      onBytes?.(total());
    },
  };
}
