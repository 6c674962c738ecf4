import { isAbsent } from './is-absent.ts';
import { toSystemCode } from './system-code.ts';

/** Says in words why a file that the user named cannot be read, as the predicate of a sentence: `does not exist`. */
export function toUnreadableRule(error: unknown): string {
  if (isAbsent(error)) return 'does not exist';
  const code = toSystemCode(error);
  switch (code) {
    case 'EISDIR':
      return 'is a folder, not a file';
    case 'EACCES':
    case 'EPERM':
      return 'is not readable for this user';
    default:
      return `cannot be read: ${code ?? 'unknown reason'}`;
  }
}

/** The same with a subject: `it does not exist`. */
export const toUnreadable = (error: unknown): string => `it ${toUnreadableRule(error)}`;

/** The same for a folder: a file in its place is not a missing path. */
export function toUnreadableFolder(error: unknown): string {
  return toSystemCode(error) === 'ENOTDIR' ? 'it is not a folder' : toUnreadable(error);
}
