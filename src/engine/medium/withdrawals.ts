import type { Digest } from '../../base/digest.ts';
import type { RecipeRecord } from '../../catalog/model.ts';
import type { MediumReport, RecipeVerdict } from '../../contract/medium.ts';
import { blobPath } from '../../oci/layout.ts';
import { nameDisk } from './parts/name-disk.ts';
import { judgeMedium } from './report.ts';

/** A recipe that passed, and of which a file was found altered while it was served. */
export interface Withdrawal {
  readonly record: RecipeRecord;
  /** Digest of the altered file. */
  readonly digest: Digest;
}

/** Adds withdrawals to a report: each withdrawn recipe is blocked, with the file that was found altered. */
export function withWithdrawals(
  report: MediumReport,
  withdrawals: readonly Withdrawal[],
  mediaId: string,
): MediumReport {
  if (withdrawals.length === 0) return report;
  const recipes = report.recipes.map((verdict): RecipeVerdict => {
    const { name, version, digest } = verdict;
    const withdrawal = withdrawals.find(
      ({ record }) => record.name === name && record.version === version && record.digest === digest,
    );
    if (withdrawal === undefined || !verdict.pushable) return verdict;
    const path = blobPath(withdrawal.digest);
    const named = { mediaId, delivery: report.medium?.delivery, zone: report.medium?.zone };
    const params = nameDisk(
      'SVC-MED-012',
      { path, expected: withdrawal.digest, recipe: `${name}@${version}` },
      named,
    );
    return { ...verdict, pushable: false, reason: { code: 'SVC-MED-012', path, params } };
  });
  return { ...report, verdict: judgeMedium(report.blocks, recipes), recipes };
}
