import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';

/** Detail of the error about a setting that is required and absent. */
export const notSet = rule(['is not set', fr`n’est pas défini`]);

/**
 * Returns the value of a required setting.
 *
 * @param setting key path: `state.root`
 * @throws SVC-CFG-001 naming the setting when it is not set
 */
export function requireSetting<T>(setting: string, value: T | undefined): T {
  if (value === undefined) throw svcError('SVC-CFG-001', { setting, detail: notSet });
  return value;
}
