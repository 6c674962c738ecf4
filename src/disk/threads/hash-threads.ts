import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import type { HashJob, HashOutcome } from './hash-file.ts';
import { startHashThread } from './hash-thread.ts';
import { packSmallFiles, type SmallFile, type SmallFiles } from './read-small.ts';
import { restoreOutcome } from './restore-outcome.ts';
import { toStartError } from './start-error.ts';

/** A thread, seen from the caller. */
interface HashThread {
  /** @throws the error of the thread */
  hash(root: string, jobs: readonly HashJob[]): Promise<readonly HashOutcome[]>;
  /** Reads files that fit into memory together. @throws the error of the thread */
  readSmall(root: string, files: readonly SmallFile[]): Promise<SmallFiles>;
}

/** Threads that hash files, until they are disposed. */
export interface HashThreads extends AsyncDisposable {
  readonly pool: readonly HashThread[];
  /** Whether the calling thread hashes as well. */
  readonly isCallerOne: boolean;
  /** Bytes read so far. */
  readonly bytes: number;
  /** Adds the bytes that the calling thread has read. */
  count(read: number): void;
  /** Keeps the process alive: an answer of the threads is awaited. */
  ref(): void;
  /** Lets the process end although the threads wait for requests. */
  unref(): void;
  /** Stops the threads at once; resolves when they no longer read. */
  end(): Promise<void>;
}

/** Grace time for threads after the work: a command mostly exits before and ends them with it, which is quicker. */
const idleMilliseconds = 250;

/** One for each processor, but no more than disks can use. */
const defaultThreads = (): number => Math.min(4, availableParallelism());

/** Starts threads, at least one; starting them takes longer than hashing a file of 8 MiB. */
export function startHashThreads(threads: number = defaultThreads()): HashThreads {
  return start(Math.max(1, threads), false);
}

/** Starts one thread less, for a caller that hashes as well: a command that has no other work. */
export function startHashThreadsBeside(threads: number = defaultThreads()): HashThreads {
  return start(threads - 1, true);
}

/**
 * Starts threads as {@link startHashThreadsBeside} does, and keeps them after a work that succeeded for the next one: starting a
 * thread takes 50 ms of processor time. While no work has them, they do not keep the process alive.
 */
export function openLastingThreads(threads?: number): () => HashThreads {
  let waiting: HashThreads | undefined;
  return () => {
    const own = waiting ?? startHashThreadsBeside(threads);
    waiting = undefined;
    own.ref();
    const before = own.bytes;
    const { pool, isCallerOne, count, ref, unref, end } = own;
    return {
      ...{ pool, isCallerOne, count, ref, unref, end },
      get bytes() {
        return own.bytes - before;
      },
      [Symbol.asyncDispose]: async () => {
        unref();
        waiting = own;
      },
    };
  };
}

function start(threads: number, isCallerOne: boolean): HashThreads {
  const counter = new SharedArrayBuffer(8);
  const total = new BigInt64Array(counter);
  const pool = Array.from({ length: threads }, () => openThread(counter));
  const end = async (): Promise<void> => {
    await Promise.all(pool.map(({ worker }) => worker?.terminate()));
  };
  return {
    pool,
    isCallerOne,
    get bytes() {
      return Number(Atomics.load(total, 0));
    },
    count: (read) => {
      Atomics.add(total, 0, BigInt(read));
    },
    ref: () => {
      for (const { worker } of pool) worker?.ref();
    },
    unref: () => {
      for (const { worker } of pool) worker?.unref();
    },
    [Symbol.asyncDispose]: async () => {
      if (!isCallerOne) return end();
      for (const { worker } of pool) worker?.unref();
      setTimeout(() => void end(), idleMilliseconds).unref();
    },
    end,
  };
}

function openThread(counter: SharedArrayBuffer) {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let next = 0;
  let hasAnswered = false;
  let failure: { readonly error: unknown } | undefined;
  const fail = (error: unknown): void => {
    failure = { error };
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  const toError = (error: unknown, root: string): unknown =>
    hasAnswered ? error : toStartError(error, root);
  let worker: Worker | undefined;
  try {
    worker = startHashThread({ counter });
  } catch (error) {
    fail(error);
  }
  worker?.on('error', fail);
  worker?.on('message', ({ index, outcome }: { index: number; outcome: unknown }) => {
    hasAnswered = true;
    waiting.get(index)?.resolve(outcome);
    waiting.delete(index);
  });
  const ask = async (root: string, request: object): Promise<unknown> => {
    if (failure !== undefined) throw toError(failure.error, root);
    const answer = Promise.withResolvers<unknown>();
    const index = next;
    next += 1;
    waiting.set(index, answer);
    worker?.postMessage({ index, root, ...request });
    return answer.promise.catch((error: unknown) => {
      throw toError(error, root);
    });
  };
  return {
    worker,
    hash: async (root: string, jobs: readonly HashJob[]) => {
      const bare = jobs.map(({ path, algorithm, size, keep, ranges }) => ({
        ...{ path, algorithm, size, keep },
        ranges: ranges?.map(({ offset, size: bytes }) => ({ offset, size: bytes })),
      }));
      return ((await ask(root, { jobs: bare })) as readonly HashOutcome[]).map(restoreOutcome);
    },
    readSmall: async (root: string, small: readonly SmallFile[]) =>
      (await ask(root, { small: packSmallFiles(small) })) as SmallFiles,
  };
}
