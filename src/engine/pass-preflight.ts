import type { Report } from '../base/report.ts';
import type { JudgedVolume } from './preflight.ts';

/**
 * Ends the run when it cannot fit, unless the gate was turned into a report.
 *
 * @throws SVC-STO-004, SVC-STO-005
 */
export function passPreflight(volumes: readonly JudgedVolume[], isDisabled: boolean, report: Report): void {
  for (const { target, path, warnings, refusal } of volumes) {
    for (const warning of warnings) report.log('warn', 'Pre-flight warning', { target, path, warning });
    if (!refusal) continue;
    if (!isDisabled) throw refusal;
    report.log('warn', 'The pre-flight check is disabled: a refusal is let through', {
      target,
      path,
      error: refusal,
    });
    report.audit({
      actor: 'system',
      action: 'preflight.override',
      target: path,
      outcome: 'success',
      details: { code: refusal.code, params: refusal.params },
    });
  }
}
