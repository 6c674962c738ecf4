import { isSvcError } from '../base/error.ts';

/** Whether an error says that a path does not exist: the operating system's own, or a coded one that it caused. */
export function isAbsent(error: unknown): boolean {
  const cause = isSvcError(error) ? error.cause : error;
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
