// A thread for files: hashes them, reads or writes small ones whole, or hashes and copies them, one after the other.
import { parentPort, workerData } from 'node:worker_threads';
import { copyRange } from './copy-range.ts';
import { hashFile, hashReadBytes } from './hash-file.ts';
import type { HashThreadData, HashThreadRequest } from './hash-thread.ts';
import { readSmallFiles, unpackSmallFiles } from './read-small.ts';
import { writeSmallFiles } from './write-small.ts';

const bytes = new BigInt64Array((workerData as HashThreadData).counter);
const buffer = Buffer.allocUnsafeSlow(hashReadBytes);
const count = (read: number): void => {
  Atomics.add(bytes, 0, BigInt(read));
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
  const outcome =
    'copy' in request
      ? copyRange(request.copy, count)
      : request.jobs.map((job) => hashFile(request.root, job, buffer, count));
  parentPort!.postMessage({ index: request.index, outcome });
};
// one request in each turn: small files are made durable between two large ones
parentPort!.on('message', (request: HashThreadRequest) => setImmediate(serve, request));
