import type { SvcError } from './error.ts';
import { type Rule, restoreRule } from './rule.ts';

/**
 * Returns a text among the parameters of an error as another error takes it: a rule if it is a text of this program.
 *
 * @returns undefined when it is absent
 */
export function textParam({ params, rules }: SvcError, name: string): Rule | string | undefined {
  const stored = rules[name];
  if (stored !== undefined) return restoreRule(stored);
  return params[name] === undefined ? undefined : String(params[name]);
}
