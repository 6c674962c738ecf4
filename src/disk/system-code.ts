import { constants, userInfo } from 'node:os';

/** Codes that the runtime does not name: for an exceeded quota it reports only the number. */
const unnamed: Readonly<Record<number, string>> = { [constants.errno.EDQUOT]: 'EDQUOT' };

/** Returns the operating system's name of an error, such as `ENOSPC`; undefined when it is not a system error. */
export function toSystemCode(error: unknown): string | undefined {
  const { code, errno } = (error ?? {}) as NodeJS.ErrnoException;
  return (errno === undefined ? undefined : unnamed[Math.abs(errno)]) ?? code;
}

/** Why the operating system refuses a user a file or a folder, for reasons other than the state of the disk. */
export type Refusal = 'denied' | 'read-only';

/** Returns why the operating system refused the user of this process a write; undefined for any other failure. */
export function toRefusal(error: unknown): Refusal | undefined {
  return toSystemCode(error) === 'EROFS' ? 'read-only' : isDenied(error) ? 'denied' : undefined;
}

/** Returns whether the operating system refused the user of this process a file or folder. */
export function isDenied(error: unknown): boolean {
  return ['EACCES', 'EPERM'].includes(toSystemCode(error) ?? '');
}

/** Returns the name of the user of this process, or its number where the system has no name for it. */
export function getUserName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}
