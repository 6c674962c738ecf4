import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Removes the temporary files of atomic writes that a killed process left beside a file. Called only by the one writer of
 * that file. A leftover that cannot be removed stays and does no harm.
 */
export async function removeLeftovers(path: string): Promise<void> {
  const prefix = `${basename(path)}.`;
  for (const name of await readdir(dirname(path)).catch(() => [])) {
    if (!name.startsWith(prefix) || !/^[0-9a-f]{12}\.tmp$/.test(name.slice(prefix.length))) continue;
    await rm(join(dirname(path), name), { force: true }).catch(() => {});
  }
}
