import { availableParallelism } from 'node:os';
import type { HashJob, HashOutcome } from './hash-file.ts';
import { startHashThread } from './hash-thread.ts';

/** One thread, as the one who gives it work sees it. */
export interface HashLane {
  /** @throws what made the thread fail */
  hash(root: string, jobs: readonly HashJob[]): Promise<readonly HashOutcome[]>;
}

/** Threads that hash files, until they are disposed of. */
export interface HashThreads extends AsyncDisposable {
  readonly lanes: readonly HashLane[];
  /** Whether the calling thread hashes besides. */
  readonly isCallerOne: boolean;
  /** Bytes read so far. */
  readonly bytes: number;
  /** Adds to the bytes read what the calling thread has read. */
  count(read: number): void;
  /** Ends them at once; resolves when nothing is read any more. */
  end(): Promise<void>;
}

/** What the threads of a command are left: it mostly ends before, and takes them along, which is quicker. */
const idleMilliseconds = 2000;

/** One for each processor, but no more than disks have use for. */
const defaultThreads = (): number => Math.min(4, availableParallelism());

/** Starts threads, at least one; they take longer to start than a file of 8 MiB takes to hash. */
export function startHashThreads(threads: number = defaultThreads()): HashThreads {
  return start(Math.max(1, threads), false);
}

/**
 * Starts one thread less, for a caller that hashes too because it has nothing else to do: a command that was asked for
 * nothing more.
 */
export function startHashThreadsBeside(threads: number = defaultThreads()): HashThreads {
  return start(threads - 1, true);
}

function start(threads: number, isCallerOne: boolean): HashThreads {
  const counter = new SharedArrayBuffer(8);
  const total = new BigInt64Array(counter);
  const lanes = Array.from({ length: threads }, () => openLane(counter));
  const end = async (): Promise<void> => {
    await Promise.all(lanes.map(({ worker }) => worker.terminate()));
  };
  return {
    lanes,
    isCallerOne,
    get bytes() {
      return Number(Atomics.load(total, 0));
    },
    count: (read) => {
      Atomics.add(total, 0, BigInt(read));
    },
    [Symbol.asyncDispose]: async () => {
      if (!isCallerOne) return end();
      for (const { worker } of lanes) worker.unref();
      setTimeout(() => void end(), idleMilliseconds).unref();
    },
    end,
  };
}

function openLane(counter: SharedArrayBuffer) {
  const worker = startHashThread({ counter });
  const waiting = new Map<number, PromiseWithResolvers<readonly HashOutcome[]>>();
  let next = 0;
  let failure: { readonly error: unknown } | undefined;
  worker.on('error', (error) => {
    failure = { error };
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  });
  worker.on('message', ({ index, outcome }: { index: number; outcome: readonly HashOutcome[] }) => {
    waiting.get(index)?.resolve(outcome);
    waiting.delete(index);
  });
  return {
    worker,
    hash: async (root: string, jobs: readonly HashJob[]): Promise<readonly HashOutcome[]> => {
      if (failure !== undefined) throw failure.error;
      const answer = Promise.withResolvers<readonly HashOutcome[]>();
      const index = next;
      next += 1;
      waiting.set(index, answer);
      const bare = jobs.map(({ path, algorithm, size, keep }) => ({ path, algorithm, size, keep }));
      worker.postMessage({ index, root, jobs: bare });
      return answer.promise;
    },
  };
}
