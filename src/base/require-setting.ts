import { svcError } from '../text/error.ts';

/** Detail of the error about a setting that is required and absent. */
export const notSet = 'is not set';

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
