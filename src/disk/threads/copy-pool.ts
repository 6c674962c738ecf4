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

interface Thread {
  readonly worker: Worker;
  /** Its jobs. */
  readonly open: { readonly copy: Set<number>; readonly write: Set<number> };
  hasAnswered: boolean;
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
  const workers: Thread[] = [];
  const waiting = new Map<number, Waiting>();
  const { onBytes, signal } = options;
  const timer = onBytes && setInterval(() => onBytes(total()), 250);
  let next = 0;

  const failAll = (toError: (path: string) => unknown): void => {
    for (const { path, fail } of waiting.values()) fail(toError(path));
    waiting.clear();
  };
  /** @throws SVC-STO-014 */
  const start = (path: string): Thread => {
    let worker: Worker;
    try {
      worker = startHashThread({ counter });
    } catch (error) {
      throw toStartError(error, path);
    }
    const thread: Thread = { worker, open: { copy: new Set(), write: new Set() }, hasAnswered: false };
    workers.push(thread);
    thread.worker.on('error', (error) => {
      // a thread that has ended answers nobody: the next job starts another
      workers.splice(workers.indexOf(thread), 1);
      failAll((path) => (thread.hasAnswered ? error : toStartError(error, path)));
    });
    thread.worker.on('message', ({ index, outcome }: { index: number; outcome: never }) => {
      thread.hasAnswered = true;
      for (const open of Object.values(thread.open)) open.delete(index);
      const one = waiting.get(index);
      waiting.delete(index);
      one?.settle(restoreOutcome(outcome));
    });
    return thread;
  };

  const ask = <T>(
    kind: keyof Thread['open'],
    path: string,
    request: object,
    transfer: readonly ArrayBuffer[] = [],
  ): Promise<T> =>
    new Promise((settle, fail) => {
      // small files wait for their disk, and keep no thread from a large one
      const [idlest] = workers.toSorted((a, b) => a.open[kind].size - b.open[kind].size);
      const isFree = idlest !== undefined && (idlest.open[kind].size === 0 || workers.length === threads);
      const thread = isFree ? idlest : start(path);
      const index = next;
      next += 1;
      thread.open[kind].add(index);
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
    copy: (copy) => ask('copy', join(copy.source.root, copy.source.path), { copy }),
    writeSmall: (write) => ask('write', write.files[0]?.path ?? '', { write }, [write.bytes.buffer]),
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      signal?.removeEventListener('abort', onAbort);
      await stop();
      onBytes?.(total());
    },
  };
}
