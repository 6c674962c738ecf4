// The least that a disk takes for the large files of a delivery: three threads copy them, make them durable, and read them
// back past the kernel's cache. With `hash`, they are hashed then. No document, no record and no proof.
// Arguments: the folder of the blobs, the folder that is written, and optionally `hash`.

import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fdatasyncSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { allocateAligned, directAlignment, directLeast } from '../../../src/disk/aligned-memory.ts';

const [root, target, hashing] = process.argv.slice(2) as [string, string, string?];
const { O_DIRECT, O_RDONLY, O_WRONLY } = constants;

function copy(name: string, size: number, part: Buffer): void {
  const source = openSync(join(root, name), 'r');
  const file = openSync(join(target, name), 'wx');
  const direct = openSync(join(target, name), O_WRONLY | O_DIRECT);
  for (let at = 0; at < size; ) {
    const count = readSync(source, part, 0, part.length, at);
    const whole = count - (count % directAlignment);
    if (whole > 0) writeSync(direct, part, 0, whole, at);
    if (whole < count) writeSync(file, part, whole, count - whole, at + whole);
    at += count;
  }
  fdatasyncSync(file);
  for (const fd of [source, file, direct]) closeSync(fd);
}

function readBack(name: string, size: number, part: Buffer): void {
  const file = openSync(join(target, name), O_RDONLY | O_DIRECT);
  const hash = createHash('sha256');
  for (let at = 0; at < size; ) {
    const count = readSync(file, part, 0, part.length, at);
    if (hashing !== undefined) hash.update(part.subarray(0, count));
    at += count;
  }
  closeSync(file);
  if (hashing !== undefined && hash.digest('hex') !== name) throw new Error(`other bytes: ${name}`);
}

if (isMainThread) {
  const taken = new SharedArrayBuffer(4);
  for (let i = 0; i < 3; i += 1)
    new Worker(import.meta.filename, { workerData: taken, argv: process.argv.slice(2) });
} else {
  const taken = new Int32Array(workerData as SharedArrayBuffer);
  const part = allocateAligned(2 << 20);
  const files = readdirSync(root)
    .map((name) => ({ name, size: statSync(join(root, name)).size }))
    .filter(({ size }) => size >= directLeast)
    .sort((a, b) => b.size - a.size);
  for (let next = files[Atomics.add(taken, 0, 1)]; next; next = files[Atomics.add(taken, 0, 1)]) {
    copy(next.name, next.size, part);
    readBack(next.name, next.size, part);
  }
}
