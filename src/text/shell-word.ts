import { escapeText } from './escape.ts';

/** Quotes a text as one word of a POSIX shell, where it needs that. Control characters are escaped for the terminal. */
export function toShellWord(text: string): string {
  return /^[A-Za-z0-9@%+=:,./_-]+$/.test(text) ? text : `'${escapeText(text).replaceAll("'", "'\\''")}'`;
}
