import { readFileSync } from 'node:fs';

/**
 * Reads the soft limit of open files of this process (proc(5)); undefined when there is none or it is
 * unknown.
 */
export function readOpenFileLimit(): number | undefined {
  try {
    const soft = /^Max open files +(\d+) /m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}
