import { sep } from 'node:path';
import { isSvcError, SvcError } from '../text/error.ts';

/**
 * Names the folder of the instance in the error of a file that the user may not read or write. Every other file there
 * has the same owner: the advice must be for the whole folder, not for the first file.
 *
 * @param roots absolute paths of the store and the state
 * @returns the error with this folder; any other error unchanged
 */
export function nameOwnedRoot(error: unknown, roots: readonly string[]): unknown {
  if (!isSvcError(error) || error.params.problem !== 'denied') return error;
  if (error.code !== 'SVC-STO-001' && error.code !== 'SVC-STO-002') return error;
  const path = String(error.params.path);
  const root = roots.find((one) => path.startsWith(one + sep));
  if (root === undefined) return error;
  const { code, params, detail = '' } = error;
  const { cause, rules, detailRules, class: severity } = error;
  return new SvcError(code, { ...params, root }, { cause, rules, detail, detailRules, class: severity });
}
