import { createHash } from 'node:crypto';
import { globSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** SHA-256 of every file below a folder, in hexadecimal digits, by its path, sorted. */
export function hashAll(folder: string): [path: string, hex: string][] {
  return listFiles(folder).map((path) => [
    path,
    createHash('sha256')
      .update(readFileSync(join(folder, path)))
      .digest('hex'),
  ]);
}

function listFiles(folder: string): string[] {
  return globSync('**/*', { cwd: folder })
    .filter((path) => lstatSync(join(folder, path)).isFile())
    .sort();
}
