import { type SvcError, toSvcError } from '../text/error.ts';
import type { Details } from './details.ts';
import type { AuditEvent, Report } from './report.ts';

/** A sensitive action: `details` are part of the audit record for every outcome. */
export type Attempt = Omit<AuditEvent, 'outcome'>;

/**
 * Runs an action and records a failure, as `denied` if a policy refuses the action. The action records its own success.
 *
 * @param toDetails details of the failure; its code unless given
 */
export async function auditedRefusal<T>(
  report: Pick<Report, 'audit'>,
  attempt: Attempt,
  work: () => Promise<T>,
  toDetails: (error: SvcError) => Details = ({ code }) => ({ code }),
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const coded = toSvcError(error);
    report.audit({
      ...attempt,
      outcome: coded.class === 'policy' ? 'denied' : 'failure',
      details: { ...attempt.details, ...toDetails(coded) },
    });
    throw error;
  }
}

/**
 * Runs an action and records its actor, its object and its outcome.
 *
 * @param describe details that depend on the outcome; of a failure its code unless given; `isFailure` tells results that are
 *   an outcome of failure, such as a verdict
 */
export async function audited<T>(
  report: Pick<Report, 'audit'>,
  attempt: Attempt,
  work: () => Promise<T>,
  describe: {
    readonly success?: (result: T) => Details | undefined;
    readonly failure?: (error: SvcError) => Details;
    readonly isFailure?: (result: T) => boolean;
    /** What only the result names. */
    readonly target?: (result: T) => string;
  } = {},
): Promise<T> {
  const result = await auditedRefusal(report, attempt, work, describe.failure);
  const target = describe.target?.(result) ?? attempt.target;
  const details = { ...attempt.details, ...describe.success?.(result) };
  const outcome = describe.isFailure?.(result) ? 'failure' : 'success';
  report.audit({ ...attempt, target, outcome, details });
  return result;
}
