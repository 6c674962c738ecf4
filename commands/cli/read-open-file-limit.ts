import { readFileSync } from 'node:fs';

/** The soft limit of open files of this process (proc(5)); undefined where there is none, or it is not known. */
export function readOpenFileLimit(): number | undefined {
  try {
    const soft = /^Max open files +(\d+) /m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}
