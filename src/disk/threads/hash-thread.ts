import { Worker } from 'node:worker_threads';
import type { CopyJob } from './copy-range.ts';
import type { HashJob } from './hash-file.ts';
import { hashWorkerUrl } from './hash-worker-url.ts';
import type { SmallWrites } from './write-small.ts';

/** Data that a thread is started with. */
export interface HashThreadData {
  /** One 64-bit number: the bytes read by all threads that share it. */
  readonly counter: SharedArrayBuffer;
}

/** A request to a thread; the answer has the same index. */
export type HashThreadRequest = { readonly index: number } & (
  | {
      /** Real path of the root of the files. */
      readonly root: string;
      readonly jobs: readonly HashJob[];
    }
  | {
      readonly root: string;
      /** Files to be read whole, as of `packSmallFiles`. */
      readonly small: string;
    }
  | { readonly copy: CopyJob }
  | { readonly write: SmallWrites }
);

/** Starts a thread that hashes files, reads or writes small ones, or copies and hashes them. */
export function startHashThread(workerData: HashThreadData): Worker {
  return new Worker(hashWorkerUrl, { workerData, resourceLimits: { maxYoungGenerationSizeMb: 2 } });
}
