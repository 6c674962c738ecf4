import type { Report } from '../../base/report.ts';
import type { SvcError } from '../../text/error.ts';

/** Counts policy refusals and failed verifications by code, in the metrics. */
export function countErrors(errors: Iterable<SvcError>, { meter }: Report): void {
  for (const { class: kind, code } of errors) {
    if (kind === 'policy') meter.add('svc_policy_rejections_total', 1, { code });
    if (kind === 'verification') meter.add('svc_verification_failures_total', 1, { code });
  }
}
