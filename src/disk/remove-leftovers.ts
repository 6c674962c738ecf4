import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Removes what a kill in the middle of writing a file has left beside it: the temporary files of atomic writes. Asked by
 * whoever alone may write that file. What cannot be removed stays, and harms nobody.
 */
export async function removeLeftovers(path: string): Promise<void> {
  const prefix = `${basename(path)}.`;
  for (const name of await readdir(dirname(path)).catch(() => [])) {
    if (!name.startsWith(prefix) || !/^[0-9a-f]{12}\.tmp$/.test(name.slice(prefix.length))) continue;
    await rm(join(dirname(path), name), { force: true }).catch(() => {});
  }
}
