import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as takeTurn } from 'node:timers/promises';
import { requireAble } from '../read-error.ts';
import { type HashJob, type HashOutcome, hashInSteps, hashReadBytes } from './hash-file.ts';
import { type HashThreads, startHashThreads } from './hash-threads.ts';

interface HashFilesOptions<J extends HashJob> {
  readonly onOutcome: (job: J, outcome: HashOutcome) => void;
  readonly signal?: AbortSignal | undefined;
  /** Called about four times a second with the bytes read so far. */
  readonly onBytes?: (total: number) => void;
  /** Number of threads to start, or started threads; they end with the work. Default: one per processor, at most four. */
  readonly threads?: number | HashThreads;
}

/** Jobs sent in one message: a message for each small file would cost more than hashing it. */
const batch = { bytes: 8 << 20, jobs: 64 } as const;
/** Bytes after which the calling thread yields to the event loop: some milliseconds. */
const turnBytes = 4 << 20;
/** Bytes that take as long as opening a file. */
const openBytes = 64 << 10;

/**
 * Hashes many files below a root on several threads. Links are never followed, and the size of a file is compared before
 * a byte is read.
 *
 * @returns bytes read
 * @throws SVC-STO-014 when descriptors or memory ran out, SVC-STO-001 without permission; the signal's reason; the error of a thread
 */
export async function hashFiles<J extends HashJob>(
  root: string,
  jobs: Iterable<J>,
  options: HashFilesOptions<J>,
): Promise<number> {
  const { signal, onBytes, onOutcome } = options;
  const threads = typeof options.threads === 'object' ? options.threads : startHashThreads(options.threads);
  const batches = inBatches(jobs);
  const stop = new AbortController();
  const timer = setInterval(() => onBytes?.(threads.bytes), 250);
  let isDone = false;
  try {
    signal?.throwIfAborted();
    const place = await realpath(root);
    const drive = async (hash: Hasher): Promise<void> => {
      for (const jobs of batches) {
        const outcomes = await hash(place, jobs);
        for (const [i, job] of jobs.entries()) {
          const outcome = outcomes[i]!;
          if ('problem' in outcome && outcome.problem === 'unreadable')
            requireAble(outcome.detail, join(root, job.path));
          onOutcome(job, outcome);
        }
      }
    };
    // two batches per thread: the next one waits in the thread
    const hashers: Hasher[] = threads.pool.flatMap((thread) => [thread.hash, thread.hash]);
    if (threads.isCallerOne) hashers.push(openHasherHere(threads.count, stop.signal));
    const aborted = new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true, signal: stop.signal });
    });
    await Promise.race([Promise.all(hashers.map(drive)), aborted]);
    isDone = true;
  } finally {
    clearInterval(timer);
    stop.abort();
    await (isDone ? threads[Symbol.asyncDispose]() : threads.end());
  }
  onBytes?.(threads.bytes);
  return threads.bytes;
}

type Hasher = (root: string, jobs: readonly HashJob[]) => Promise<readonly HashOutcome[]>;

function* inBatches<J extends HashJob>(jobs: Iterable<J>): Generator<J[]> {
  let together: J[] = [];
  let bytes = 0;
  for (const job of jobs) {
    together.push(job);
    bytes += job.size ?? batch.bytes;
    if (bytes < batch.bytes && together.length < batch.jobs) continue;
    yield together;
    together = [];
    bytes = 0;
  }
  if (together.length > 0) yield together;
}

/** Hashes on the calling thread, and yields to the event loop at times. @throws the signal's reason */
function openHasherHere(count: (read: number) => void, signal: AbortSignal): Hasher {
  const buffer = Buffer.allocUnsafeSlow(hashReadBytes);
  let since = 0;
  const hash = async (root: string, job: HashJob): Promise<HashOutcome> => {
    const reading = hashInSteps(root, job, buffer);
    since += openBytes;
    for (;;) {
      const { done, value } = reading.next();
      if (done) return value;
      count(value);
      since += value;
      if (since < turnBytes) continue;
      since = 0;
      await takeTurn();
      if (signal.aborted) reading.return({ problem: 'unreadable', detail: 'stopped' });
      signal.throwIfAborted();
    }
  };
  return async (root, jobs) => {
    const outcomes: HashOutcome[] = [];
    for (const job of jobs) outcomes.push(await hash(root, job));
    return outcomes;
  };
}
