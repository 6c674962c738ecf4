import { type SvcError, svcError } from '../text/error.ts';
import type { Rule } from '../text/rule.ts';
import { formatViolation, toOriginRule, type Violation } from './violation.ts';

/** Maximum number of settings in the sentence; the detail names all of them. */
const namedSettings = 3;

/**
 * Order of the codes: an exposed secret first, and the missing accounts last. An unreadable or invalid configuration
 * says nothing about accounts.
 */
const order: readonly Violation['code'][] = ['SVC-CFG-002', 'SVC-CFG-001', 'SVC-AUTH-001'];

/**
 * Creates one coded error for all violations: its detail names each violation on its own line.
 *
 * @param violations at least one
 * @param hint a further remedy, if there is one
 */
export function toConfigError(violations: readonly Violation[], hint?: Rule): SvcError {
  const principal = [...violations].sort((a, b) => order.indexOf(a.code) - order.indexOf(b.code))[0]!;
  const isOne = violations.length === 1;
  const options = isOne ? {} : { detail: violations.map(formatViolation) };
  switch (principal.code) {
    case 'SVC-CFG-002':
      return svcError(
        'SVC-CFG-002',
        { path: principal.path ?? '', root: principal.root ?? '' },
        { detail: violations.map(formatViolation) },
      );
    case 'SVC-AUTH-001':
      return svcError(
        'SVC-AUTH-001',
        { ...(isOne ? { detail: formatViolation(principal) } : {}), hint },
        options,
      );
    case 'SVC-CFG-001': {
      if (isOne)
        return svcError('SVC-CFG-001', { setting: principal.key, detail: toOriginRule(principal), hint });
      const keys = [...new Set(violations.map(({ key }) => String(key)))];
      const more = keys.length > namedSettings ? [`… (+${keys.length - namedSettings})`] : [];
      return svcError('SVC-CFG-001', { setting: [...keys.slice(0, namedSettings), ...more], hint }, options);
    }
  }
}
