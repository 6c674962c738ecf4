// A thread for files: hashes them, reads or writes small ones whole, or hashes and copies them, one after the other.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { type CopyJob, copyInSteps } from './copy-range.ts';
import { hashFile, hashReadBytes } from './hash-file.ts';
import type { HashThreadData, HashThreadRequest } from './hash-thread.ts';
import { readSmallFiles, unpackSmallFiles } from './read-small.ts';
import { writeSmallFiles } from './write-small.ts';

const bytes = new BigInt64Array((workerData as HashThreadData).counter);
const buffer = Buffer.allocUnsafeSlow(hashReadBytes);
const count = (read: number): void => {
  Atomics.add(bytes, 0, BigInt(read));
};

/** The end of the copies: one at a time. */
let copying = Promise.resolve();

/** Copies a file, part by part: requests for small files are answered between two parts. */
const copy = async ({
  index,
  copy,
}: Extract<HashThreadRequest, { readonly copy: CopyJob }>): Promise<void> => {
  const steps = copyInSteps(copy, count);
  let step = steps.next();
  for (; !step.done; step = steps.next()) await nextTurn();
  parentPort!.postMessage({ index, outcome: step.value });
};

const serve = (request: HashThreadRequest): void => {
  if ('small' in request) {
    const outcome = readSmallFiles(request.root, unpackSmallFiles(request.small));
    parentPort!.postMessage({ index: request.index, outcome }, [outcome.bytes.buffer]);
    return;
  }
  if ('write' in request) {
    void writeSmallFiles(request.write).then((outcome) =>
      parentPort!.postMessage({ index: request.index, outcome }),
    );
    return;
  }
  if ('copy' in request) {
    copying = copying.then(() => copy(request));
    return;
  }
  const outcome = request.jobs.map((job) => hashFile(request.root, job, buffer, count));
  parentPort!.postMessage({ index: request.index, outcome });
};
parentPort!.on('message', (request: HashThreadRequest) => setImmediate(serve, request));
