import type { StatsFs } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { svcError } from '../base/error.ts';
import { type Filesystem, toFilesystem } from './filesystem.ts';
import { isAbsent } from './is-absent.ts';

/** A volume as it is now. */
export interface Volume extends Filesystem {
  /** The existing path that was looked at. */
  readonly path: string;
  /** Bytes that this user may still write. */
  readonly freeBytes: number;
  readonly totalBytes: number;
  /** `st_dev`: changes with a remount of another volume. */
  readonly device: number;
}

/**
 * Looks at the volume that a path lies on, or will lie on: the nearest existing parent answers for an absent path.
 *
 * @param ask reads the figures of the volume; a test hands in a volume that the machine does not have
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
      if (!isAbsent(cause) || at === dirname(at)) throw svcError('SVC-STO-001', { path: at }, { cause });
    }
  }
}
