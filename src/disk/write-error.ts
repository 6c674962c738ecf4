import { existsSync, type StatsFs, statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isSvcError, type SvcError, svcError } from '../text/error.ts';
import { isShortage } from '../text/transient-code.ts';
import { toFilesystem } from './filesystem.ts';
import { toShownPath } from './place/shown-path.ts';
import { getUserName, toRefusal, toSystemCode } from './system-code.ts';

interface WriteErrorOptions {
  /** Bytes of the failed write; 0 when unknown. */
  readonly size?: number | undefined;
  /** The code of a failure that is not about space. Default SVC-STO-002. */
  readonly otherwise?: 'SVC-STO-002' | 'SVC-STO-003';
  /** Owner of the file, unless it is the store: the advice depends on it. `named`: a new file that the user named. */
  readonly place?: 'state' | 'named' | undefined;
  /** Whether nothing was to be written yet: the place was only asked. */
  readonly isPlanned?: boolean | undefined;
  /** The volume as `statfs` describes it. Default: `statfs` is called. */
  readonly volume?: Pick<StatsFs, 'type' | 'bsize' | 'bavail' | 'files' | 'ffree'>;
}

/** Bytes. A volume that refuses a write with this much free lacks room in a folder, not blocks. */
const roomLeft = 1 << 20;

/**
 * Converts a failed write to a coded error. SVC-STO-004: a full volume or quota. SVC-STO-005: a limit of the filesystem
 * (file size, entries of a folder). SVC-STO-014: descriptors or memory ran out. SVC-STO-002: all others (read-only,
 * broken, forbidden). Coded errors are returned unchanged.
 */
export function toWriteError(error: unknown, at: string, options: WriteErrorOptions = {}): SvcError {
  if (isSvcError(error)) return error;
  const path = toShownPath(at);
  const cause = { cause: error };
  const size = options.size ?? 0;
  switch (toSystemCode(error)) {
    case 'EFBIG': {
      const { type, maxFileSize } = toFilesystem((options.volume ?? askVolume(path))?.type);
      const limit = maxFileSize ?? 'unknown';
      return svcError('SVC-STO-005', { path, filesystem: type, limit, size }, cause);
    }
    case 'ENOSPC': {
      const volume = options.volume ?? askVolume(path);
      const free = volume ? volume.bavail * volume.bsize : 0;
      const { type, maxFolderEntries } = toFilesystem(volume?.type);
      // a folder of the state has few files: only a lack of inodes, or a limit of FAT, can fill it
      const canBeCrowded = options.place !== 'state' || maxFolderEntries !== undefined || volume?.ffree === 0;
      if (volume && free >= size + roomLeft && canBeCrowded) {
        const limit = maxFolderEntries ?? (volume.files > 0 ? volume.files : 'unknown');
        return svcError('SVC-STO-005', { path, filesystem: type, limit, size }, cause);
      }
      return toSpaceError(path, size, free, options.place, cause);
    }
    case 'EDQUOT':
      return toSpaceError(path, size, 0, options.place, cause);
    default:
      if (isShortage(toSystemCode(error))) return svcError('SVC-STO-014', { path }, cause);
      return svcError(
        options.otherwise ?? 'SVC-STO-002',
        { path, ...explain(error, path, options), ...(options.isPlanned ? { planned: 'yes' } : {}) },
        cause,
      );
  }
}

/** Finds the obstacle to a write: a missing folder, or one that the user may not write into. */
function explain(error: unknown, path: string, { place, otherwise }: WriteErrorOptions) {
  if (toSystemCode(error) === 'EISDIR') return { problem: 'is-folder' };
  const problem = toRefusal(error);
  const folder = findFolder(path);
  if (problem === 'denied')
    return folder === resolve(path) || otherwise === 'SVC-STO-003'
      ? { problem, user: getUserName(), ...(otherwise === 'SVC-STO-003' ? {} : { root: path }) }
      : { problem: 'denied-new', user: getUserName(), folder };
  const isMissing =
    place === 'named' && toSystemCode(error) === 'ENOENT' && folder !== dirname(resolve(path));
  return isMissing ? { problem: 'no-folder', folder: dirname(path) } : { problem };
}

/** Returns the path, or the nearest folder above it that exists. */
function findFolder(path: string): string {
  for (let at = resolve(path); ; at = dirname(at)) if (at === dirname(at) || existsSync(at)) return at;
}

/**
 * A volume without room (SVC-STO-004). A volume can refuse a write that its free bytes allow, and a write of unknown size: no
 * bytes are missing by the figures then.
 *
 * @param needed bytes
 * @param free bytes
 */
export function toSpaceError(
  path: string,
  needed: number,
  free: number,
  place: WriteErrorOptions['place'],
  cause: { cause?: unknown } = {},
): SvcError {
  const figures = needed > free ? { needed, shortfall: needed - free } : {};
  return svcError('SVC-STO-004', { path, ...figures, usable: free, free, place }, cause);
}

/** Inspects the volume synchronously: the figures in the error must be those at the time of the failure. */
function askVolume(path: string): StatsFs | undefined {
  for (let at = path; ; at = dirname(at)) {
    try {
      return statfsSync(at);
    } catch {
      if (at === dirname(at)) return undefined;
    }
  }
}
