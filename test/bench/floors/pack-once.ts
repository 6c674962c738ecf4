// The least that packing takes in this runtime: one look at each file, one thread, no refusal, no store and no record.
// Arguments: the folder, and the file that is written. Prints the digest, which is that of the layer of a FileSet.

import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { tarEnd, tarPadding, toTarHeader } from '../../../src/disk/tar/header.ts';

const [root, target] = process.argv.slice(2) as [string, string];
const hash = createHash('sha256');
const output = openSync(target, 'wx');
/** Larger than each file. */
const chunk = Buffer.allocUnsafe(1 << 20);
let filled = 0;

function flush(): void {
  const bytes = chunk.subarray(0, filled);
  hash.update(bytes);
  writeSync(output, bytes);
  filled = 0;
}

function reserve(bytes: number): void {
  if (filled + bytes > chunk.length) flush();
}

function put(bytes: Buffer): void {
  reserve(bytes.length);
  filled += bytes.copy(chunk, filled);
}

function packFile(path: string, name: string): void {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  const { size, mode } = fstatSync(file);
  put(toTarHeader({ path: name, type: 'file', size, mode: mode & 0o777 }));
  const padding = tarPadding(size);
  reserve(size + padding);
  filled += readSync(file, chunk, filled, size, null);
  chunk.fill(0, filled, filled + padding);
  filled += padding;
  closeSync(file);
}

function packFolder(folder: string, prefix: string): void {
  const entries = readdirSync(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) packFile(path, prefix + entry.name);
    else {
      put(toTarHeader({ path: `${prefix}${entry.name}/`, type: 'folder' }));
      packFolder(path, `${prefix}${entry.name}/`);
    }
  }
}

packFolder(root, '');
put(tarEnd);
flush();
fdatasyncSync(output);
process.stdout.write(`sha256:${hash.digest('hex')}\n`);
