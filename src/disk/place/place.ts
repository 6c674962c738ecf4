import { type Stats, statfsSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isSvcError, type SvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import { textParam } from '../../text/text-param.ts';
import { toFilesystem } from '../filesystem.ts';
import { isAbsent } from '../is-absent.ts';
import { toReadError } from '../read-error.ts';
import { toSystemCode } from '../system-code.ts';
import { openDeviceLook } from './block-device.ts';
import { isSameNode } from './same-node.ts';

/** Where a folder was when it was opened: tells a disk that was pulled out from a fault of a file. */
export interface Place {
  /**
   * Files written into a renamed, replaced or unmounted folder are not in the one that the next process opens.
   * Overlapping calls share one look, since no call is followed by its write at once.
   *
   * @throws SVC-STO-019 when the folder is absent or another one is in its place
   */
  requireInPlace(): Promise<void>;
  /**
   * Finds the reason of a failure: looks at the folder again when the error can come from a disk that is gone.
   *
   * @returns SVC-STO-019 when the disk is gone, otherwise the error itself
   */
  explain(error: unknown): Promise<unknown>;
  /** Does work that reads or writes below the folder. @throws its errors, explained */
  during<T>(work: () => Promise<T>): Promise<T>;
}

/** Filesystems whose kernel answers for an open folder from memory: a trip to a thread takes ten times as long. */
const answeredFromMemory: ReadonlySet<string> = new Set(['btrfs', 'ext4', 'f2fs', 'tmpfs', 'xfs']);

/** Error codes of a folder whose disk, server or process is gone. */
const gone: ReadonlySet<string | undefined> = new Set([
  'ENOENT',
  'ENOTDIR',
  'EIO',
  'ENODEV',
  'ENXIO',
  'ESTALE',
  'ENOTCONN',
]);

/** Codes of failures in which a file is missing, unreadable or not writable. Bytes that were read and are wrong have others. */
const ofDisk = /^SVC-(?:STO-0(?:0[12789]|10|14)|MED-0(?:01|02|10|14)|SRV-001)$/;

function canComeFromDisk(error: unknown): boolean {
  return isSvcError(error) ? ofDisk.test(error.code) : toSystemCode(error) !== undefined;
}

/**
 * Remembers the folder that a new one is made in: the nearest that exists, or the folder itself.
 *
 * @returns `root`: its path
 * @throws the operating system's error
 */
export async function openPlaceOf(path: string): Promise<{ readonly root: string; readonly place: Place }> {
  try {
    return { root: path, place: await openPlace(path) };
  } catch (error) {
    const above = dirname(path);
    if (!isAbsent(error) || above === path) throw error;
    return openPlaceOf(above);
  }
}

/**
 * Remembers a folder.
 *
 * @param root real path
 * @param devices see {@link openDeviceLook}
 * @throws the operating system's error when the folder cannot be looked at
 */
export async function openPlace(root: string, devices?: string): Promise<Place> {
  const opened = await stat(root);
  const isDeviceGone = await openDeviceLook(opened.dev, devices);
  const toLost = (detail: Rule | string | undefined, cause?: unknown): SvcError =>
    svcError('SVC-STO-019', { path: root, detail }, cause === undefined ? {} : { cause, detail: '' });
  const refuse = (error: unknown): never => {
    throw gone.has(toSystemCode(error))
      ? toLost(rule(['it was there before and is absent now', fr`il était présent et ne l’est plus`]), error)
      : toReadError(error, root);
  };
  const judge = (found: Stats): void => {
    if (!isSameNode(opened, found, root))
      throw toLost(rule(['another folder is in its place', fr`un autre dossier est à sa place`]));
  };
  const requireAtOnce = async (): Promise<void> => {
    let found: Stats;
    try {
      found = statSync(root);
    } catch (error) {
      return refuse(error);
    }
    judge(found);
  };
  let running: Promise<void> | undefined;
  const look = async (): Promise<void> => judge(await stat(root).catch(refuse));
  const requireShared = (): Promise<void> => {
    running ??= look().finally(() => {
      running = undefined;
    });
    return running;
  };
  const explain = async (error: unknown): Promise<unknown> => {
    if (!canComeFromDisk(error)) return error;
    try {
      await look();
    } catch (found) {
      if (isSvcError(found, 'SVC-STO-019')) return toLost(textParam(found, 'detail'), error);
    }
    return (await isDeviceGone())
      ? toLost(rule(['its device was removed', fr`son périphérique a été retiré`]), error)
      : error;
  };
  return {
    requireInPlace: answeredFromMemory.has(toFilesystem(statfsSync(root).type).type)
      ? requireAtOnce
      : requireShared,
    explain,
    during: async (work) => {
      try {
        return await work();
      } catch (error) {
        throw await explain(error);
      }
    },
  };
}
