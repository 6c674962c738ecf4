// A thread that reads files: hashes them, or hashes and copies them, one after the other.
import { parentPort, workerData } from 'node:worker_threads';
import { copyRange } from './copy-range.ts';
import { hashFile } from './hash-file.ts';
import type { HashThreadData, HashThreadRequest } from './hash-thread.ts';

const { root = '/', counter } = workerData as HashThreadData;
const bytes = new BigInt64Array(counter);
const buffer = Buffer.allocUnsafeSlow(1 << 20);
const count = (read: number): void => {
  Atomics.add(bytes, 0, BigInt(read));
};

parentPort!.on('message', (request: HashThreadRequest) => {
  const outcome =
    'copy' in request ? copyRange(request.copy, count) : hashFile(root, request.job, buffer, count);
  parentPort!.postMessage({ index: request.index, outcome });
});
