import { type SvcError, svcError } from '../text/error.ts';
import { isAbsent } from './is-absent.ts';
import { toReadError } from './read-error.ts';
import { isSpecialFile, notRegular } from './special-file.ts';
import { toSystemCode } from './system-code.ts';

/** A path that the user named is a pipe, a device or a socket. */
export class NotRegularError extends Error {
  constructor() {
    super(notRegular);
  }
}

/** A file that the user named has more bytes than are read of it. */
export class TooLargeError extends Error {
  readonly limit: number;

  constructor(limit: number) {
    super(`larger than ${limit} bytes`);
    this.limit = limit;
  }
}

const isNotRegular = (error: unknown): boolean => error instanceof NotRegularError || isSpecialFile(error);

/**
 * Converts a failed read of a file that the user named to a coded error: SVC-FIL-005 when the path does not exist, is a
 * folder, is not a regular file or is not readable by this user, SVC-VAL-002 when it is too large; otherwise as {@link toReadError}. Coded errors are returned unchanged.
 */
export function toNamedFileError(error: unknown, path: string): SvcError {
  const refuse = (reason: 'absent' | 'folder' | 'denied' | 'special') =>
    svcError('SVC-FIL-005', { path, [reason]: path }, { cause: error, detail: '' });
  if (error instanceof TooLargeError) return svcError('SVC-VAL-002', { limit: error.limit, file: path });
  if (isAbsent(error)) return refuse('absent');
  if (isNotRegular(error)) return refuse('special');
  switch (toSystemCode(error)) {
    case 'EISDIR':
      return refuse('folder');
    // no filesystem has a file of such a name
    case 'ENAMETOOLONG':
      return refuse('absent');
    case 'EACCES':
    case 'EPERM':
      return refuse('denied');
    default:
      return toReadError(error, path);
  }
}

/** Says in words why a file that the user named cannot be read, as the predicate of a sentence: `does not exist`. */
export function toUnreadableRule(error: unknown): string {
  if (isAbsent(error)) return 'does not exist';
  if (isNotRegular(error)) return 'is not a regular file';
  if (error instanceof TooLargeError) return `is larger than ${error.limit} bytes`;
  const code = toSystemCode(error);
  switch (code) {
    case 'EISDIR':
      return 'is a folder, not a file';
    case 'ENAMETOOLONG':
      return 'does not exist';
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
