import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A folder of this process, which the next run removes if this one is killed. */
export function toOwnFolder(place: string): string {
  return `${place}-${process.pid}`;
}

/** Removes the folders of runs that were killed, and names them. */
function removeLeftovers(place: string, say: (line: string) => void): void {
  const prefix = `${basename(place)}-`;
  for (const name of readdirSync(dirname(place)).filter((one) => one.startsWith(prefix))) {
    const pid = name.slice(prefix.length);
    const path = join(dirname(place), name);
    if (!/^\d+$/.test(pid) || existsSync(`/proc/${pid}`) || !isOwn(path)) continue;
    rmSync(path, { recursive: true, force: true });
    say(`removed ${path}, which a killed run had left`);
  }
}

/** Whether this user made a folder; others do so too where everybody makes temporary folders. */
function isOwn(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.uid === process.getuid?.();
}

/**
 * Does work whose folders are removed in the end: when it is done or fails, by a signal, or when its output is closed.
 * After a signal the process ends by that signal.
 *
 * @param places folders, of which each process has its own: see `toOwnFolder`
 * @param work ends early when its signal is aborted
 */
export async function runStoppable<T>(
  places: readonly string[],
  say: (line: string) => void,
  work: (stop: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  let by: NodeJS.Signals | undefined;
  const interrupted = (signal: NodeJS.Signals): void => {
    by ??= signal;
    stop.abort(new Error(`ended by ${signal}`));
  };
  const unread = (cause: Error): void => stop.abort(cause);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, interrupted);
  for (const output of [process.stdout, process.stderr]) output.on('error', unread);
  try {
    for (const place of places) removeLeftovers(place, say);
    return await work(stop.signal);
  } finally {
    for (const place of places) {
      rmSync(toOwnFolder(place), { recursive: true, force: true, maxRetries: 3 });
    }
    for (const signal of signals) process.off(signal, interrupted);
    if (by !== undefined) process.kill(process.pid, by);
  }
}
