import type { VolumeCheck } from '../../../contract/plan.ts';
import { type SvcError, svcError } from '../../../text/error.ts';
import { fr } from '../../../text/language.ts';
import { rule, type StoredRule, sayRule } from '../../../text/rule.ts';

/** A volume, and the demand of the plan on it. Sizes in bytes. */
export interface VolumeDemand {
  readonly target: VolumeCheck['target'];
  readonly path: string;
  readonly volume: {
    readonly type: string;
    readonly identified: boolean;
    readonly freeBytes: number;
    readonly totalBytes: number;
    readonly maxFileSize?: number | undefined;
    readonly maxFolderEntries?: number | undefined;
  };
  /** Bytes that will be written. */
  readonly neededBytes: number;
  readonly largestFileBytes: number;
  /** Files in the fullest folder after the run; 0 where the filesystem has no such limit. */
  readonly folderEntries: number;
}

/** A check, and the error of a refusal. */
export interface JudgedVolume extends VolumeCheck {
  readonly refusal?: SvcError;
}

/**
 * Checks whether the planned content fits a volume: free space less the margin, and the limits of the
 * filesystem. Pure.
 *
 * @param marginPercent share of the free space that is reserved
 */
export function judgeVolume(demand: VolumeDemand, marginPercent: number): JudgedVolume {
  const { target, path, volume, neededBytes, largestFileBytes, folderEntries } = demand;
  const { type, identified, freeBytes, maxFileSize, maxFolderEntries } = volume;
  const usableBytes = Math.floor(freeBytes * (1 - marginPercent / 100));
  const shortfallBytes = Math.max(0, neededBytes - usableBytes);
  const check: VolumeCheck = {
    target,
    path,
    filesystem: { type, identified, ...(maxFileSize === undefined ? {} : { maxFileSize }) },
    freeBytes,
    marginPercent,
    usableBytes,
    projectedBytes: neededBytes,
    largestFileBytes,
    shortfallBytes,
    ...toWarnings(
      identified
        ? []
        : [
            rule(
              [
                'the filesystem ({type}) is not one whose limits are known: they are not checked',
                fr`les limites du système de fichiers ({type}) ne sont pas connues et ne sont pas contrôlées`,
              ],
              { type },
            ),
          ],
    ),
  };
  const refuse = (refusal: SvcError, refusalCode: NonNullable<VolumeCheck['refusalCode']>) => ({
    ...check,
    refusalCode,
    refusal,
  });
  const refusal = toVolumeRefusal(check);
  const isFull = maxFolderEntries !== undefined && folderEntries > maxFolderEntries;
  if (isFull && refusal?.code !== 'SVC-STO-005') {
    const params = {
      path,
      filesystem: type,
      limit: rule(['{most} files a folder', fr`{most} fichiers par dossier`], { most: maxFolderEntries }),
      size: folderEntries,
    };
    return refuse(svcError('SVC-STO-005', params), 'SVC-STO-005');
  }
  return refusal === undefined
    ? check
    : refuse(refusal, refusal.code as NonNullable<VolumeCheck['refusalCode']>);
}

/**
 * The error of a volume that the plan does not fit, by the figures of its check; undefined where it fits by these. A check
 * does not count the files of a folder.
 */
export function toVolumeRefusal({
  target,
  path,
  filesystem: { type, maxFileSize },
  projectedBytes: needed,
  usableBytes: usable,
  freeBytes: free,
  marginPercent: margin,
  shortfallBytes: shortfall,
  largestFileBytes: size,
}: VolumeCheck): SvcError | undefined {
  if (maxFileSize !== undefined && size > maxFileSize)
    return svcError('SVC-STO-005', { path, filesystem: type, limit: maxFileSize, size });
  if (shortfall === 0) return undefined;
  const place = target === 'state' ? target : undefined;
  return svcError('SVC-STO-004', { path, needed, usable, free, margin, shortfall, place });
}

/** The warnings of a check as the plan document has them. */
export function toWarnings(rules: readonly StoredRule[]): Pick<VolumeCheck, 'warnings' | 'warningRules'> {
  return {
    warnings: rules.map((warning) => sayRule(warning, 'en')),
    ...(rules.length === 0 ? {} : { warningRules: rules }),
  };
}

/** Adds warnings to a check. */
export function withWarnings(check: JudgedVolume, added: readonly StoredRule[]): JudgedVolume {
  return { ...check, ...toWarnings([...(check.warningRules ?? []), ...added]) };
}

/** Removes the error for the plan document. */
export function toVolumeCheck({ refusal: _, ...check }: JudgedVolume): VolumeCheck {
  return check;
}
