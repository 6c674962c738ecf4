import { isSvcError } from '../text/error.ts';

/** Returns whether an error, or the cause of a coded error, says that a path does not exist. */
export function isAbsent(error: unknown): boolean {
  const cause = isSvcError(error) ? error.cause : error;
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
