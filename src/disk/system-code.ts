import { constants } from 'node:os';

/** The runtime has no name for a used-up quota, and gives its number in a sentence. */
const unnamed: Readonly<Record<number, string>> = { [constants.errno.EDQUOT]: 'EDQUOT' };

/** The operating system's name for what went wrong, `ENOSPC`; undefined when it was not the operating system. */
export function toSystemCode(error: unknown): string | undefined {
  const { code, errno } = (error ?? {}) as NodeJS.ErrnoException;
  return (errno === undefined ? undefined : unnamed[Math.abs(errno)]) ?? code;
}
