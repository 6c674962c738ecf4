import type { StatsFs } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type Filesystem, toFilesystem } from './filesystem.ts';
import { isAbsent } from './is-absent.ts';
import { toReadError } from './read-error.ts';

/** Current figures of a volume. */
export interface Volume extends Filesystem {
  /** The existing path that was inspected. */
  readonly path: string;
  /** Bytes that this user can still write. */
  readonly freeBytes: number;
  readonly totalBytes: number;
  /** `st_dev`: changes when another volume is mounted. */
  readonly device: number;
}

/**
 * Inspects the volume of a path; for an absent path, that of its nearest existing parent.
 *
 * @param ask reads the figures of the volume; a test passes a volume that the machine does not have
 * @throws SVC-STO-001
 */
export async function inspectVolume(
  path: string,
  ask: (path: string) => Promise<Pick<StatsFs, 'type' | 'bsize' | 'blocks' | 'bavail'>> = statfs,
): Promise<Volume> {
  for (let at = resolve(path); ; at = dirname(at)) {
    try {
      const { dev } = await stat(at);
      const { type, bsize, blocks, bavail } = await ask(at);
      const room = { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
      return { ...toFilesystem(type), path: at, ...room, device: dev };
    } catch (cause) {
      if (!isAbsent(cause) || at === dirname(at)) throw toReadError(cause, at);
    }
  }
}
