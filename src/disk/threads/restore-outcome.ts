import { restoreRule, type StoredRule } from '../../text/rule.ts';

/** Gives the detail of an outcome of another thread its class back, if it is a rule. */
export function restoreOutcome<O extends object>(outcome: O): O {
  const { detail } = outcome as { readonly detail?: string | StoredRule };
  return typeof detail === 'object' ? { ...outcome, detail: restoreRule(detail) } : outcome;
}
