import { Worker } from 'node:worker_threads';
import type { CopyJob } from './copy-range.ts';
import type { HashJob } from './hash-file.ts';
import { hashWorkerUrl } from './hash-worker-url.ts';

/** What a thread is started with. */
export interface HashThreadData {
  /** One 64-bit number: the bytes read by all that share it. */
  readonly counter: SharedArrayBuffer;
}

/** What a thread is asked; the answer carries the same index. */
export type HashThreadRequest = { readonly index: number } & (
  | {
      /** Real path that the files of the jobs lie under. */
      readonly root: string;
      readonly jobs: readonly HashJob[];
    }
  | { readonly copy: CopyJob }
);

/** Starts a thread that hashes files, and copies what it hashes where it is told to. */
export function startHashThread(workerData: HashThreadData): Worker {
  return new Worker(hashWorkerUrl, { workerData });
}
