import { type SvcError, selectPrincipal, svcError } from '../base/error.ts';
import { formatViolation, type Violation } from './violation.ts';

/**
 * One coded error for all violations: the most severe code speaks, the detail names every one of them.
 *
 * @param violations at least one
 */
export function toConfigError(violations: readonly Violation[]): SvcError {
  const principal = selectPrincipal(violations)!;
  const all = violations.map(formatViolation).join('; ');
  if (principal.code === 'SVC-CFG-002') {
    return svcError(
      'SVC-CFG-002',
      { path: principal.path ?? '', root: principal.root ?? '' },
      { detail: all },
    );
  }
  if (principal.code === 'SVC-AUTH-001') return svcError('SVC-AUTH-001', { detail: all });
  const keys = [...new Set(violations.map(({ key }) => key))];
  return svcError('SVC-CFG-001', { setting: keys.length === 1 ? keys[0]! : keys, detail: all });
}
