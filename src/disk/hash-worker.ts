// A thread of the hash pool: hashes the files it is told, one after the other.
import { parentPort, workerData } from 'node:worker_threads';
import { type HashJob, hashFile } from './hash-file.ts';

const { root, counter } = workerData as { root: string; counter: SharedArrayBuffer };
const bytes = new BigInt64Array(counter);
const buffer = Buffer.allocUnsafeSlow(1 << 20);

parentPort!.on('message', ({ index, job }: { index: number; job: HashJob }) => {
  const outcome = hashFile(root, job, buffer, (count) => Atomics.add(bytes, 0, BigInt(count)));
  parentPort!.postMessage({ index, outcome });
});
