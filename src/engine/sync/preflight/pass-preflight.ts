import { actors, type Report } from '../../../base/report.ts';
import { selectPrincipal } from '../../../text/error.ts';
import type { JudgedVolume } from './judge-volume.ts';

/**
 * Ends the run when a volume check refused it. With `isDisabled` refusals are logged and audited instead.
 *
 * @param actor identity in the audit record of an ignored refusal
 * @throws SVC-STO-004, SVC-STO-005
 */
export function passPreflight(
  volumes: readonly JudgedVolume[],
  isDisabled: boolean,
  report: Report,
  actor: string = actors.system,
): void {
  for (const { target, path, warnings } of volumes)
    for (const warning of warnings) report.log('warn', 'Pre-flight warning', { target, path, warning });
  const principal = selectPrincipal(volumes.flatMap(({ refusal }) => refusal ?? []));
  if (principal && !isDisabled) throw principal;
  for (const { target, path, refusal } of volumes) {
    if (!refusal) continue;
    report.log('warn', 'The pre-flight check is disabled: ignoring a refusal', {
      target,
      path,
      error: refusal,
    });
    report.audit({
      actor,
      action: 'preflight.override',
      target: path,
      outcome: 'success',
      details: { code: refusal.code, params: refusal.params },
    });
  }
}
