import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { systemClock } from '../base/clock.ts';

/**
 * Removes the temporary files and folders of atomic writes that a killed process left beside a file. Called only by the one writer of
 * that file. A leftover that cannot be removed stays and does no harm.
 */
export async function removeLeftovers(path: string): Promise<void> {
  const prefix = `${basename(path)}.`;
  for (const name of await readdir(dirname(path)).catch(() => [])) {
    if (!name.startsWith(prefix) || !/^[0-9a-f]{12}\.tmp$/.test(name.slice(prefix.length))) continue;
    await rm(join(dirname(path), name), { recursive: true, force: true }).catch(() => {});
  }
}

/** Milliseconds after which no process still writes a temporary file. */
const longestWrite = 60 * 60 * 1000;

/**
 * Removes the temporary files of atomic writes that killed processes left in a folder with several writers: those that are older
 * than an hour. A leftover that cannot be removed stays and does no harm.
 */
export async function removeStale(folder: string): Promise<void> {
  const before = systemClock.wall() - longestWrite;
  for (const name of await readdir(folder).catch(() => [])) {
    if (!/\.[0-9a-f]{12}\.tmp$/.test(name)) continue;
    const path = join(folder, name);
    const isStale = await stat(path).then(
      ({ mtimeMs }) => mtimeMs < before,
      () => false,
    );
    if (isStale) await rm(path, { force: true }).catch(() => {});
  }
}
