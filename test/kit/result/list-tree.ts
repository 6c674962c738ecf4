import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { hashBytes } from '../../../src/base/digest.ts';

/** Every entry of a tree with its permissions and content: an archive of the tree must bring all of them back. */
export function listTree(root: string): readonly string[] {
  return (readdirSync(root, { recursive: true }) as string[]).sort().map((path) => {
    const full = join(root, path);
    const stats = lstatSync(full);
    if (stats.isSymbolicLink()) return `${path} -> ${readlinkSync(full)}`;
    const mode = (stats.mode & 0o777).toString(8);
    return stats.isDirectory() ? `${path}/ ${mode}` : `${path} ${mode} ${hashBytes(readFileSync(full))}`;
  });
}
