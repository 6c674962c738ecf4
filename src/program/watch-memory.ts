import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds between two looks: a program that fills memory as fast as it can takes some 100 MB in this time. */
const interval = 25;
/** Processes of one program that are looked at. */
const mostProcesses = 64;

/**
 * Watches how much memory a process and its children have in use, as the kernel counts it (`VmRSS`). The limits of the
 * kernel hold for each process alone and not for all kinds of memory; this one holds for all together.
 *
 * @param bytes limit of all processes together
 * @param onExceeded called once, when they have more
 * @returns ends the watch. On a system without `/proc` nothing is watched
 */
export function watchMemory(pid: number, bytes: number, onExceeded: () => void): Disposable {
  const ended = new AbortController();
  const watch = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      if ((await measure(pid)) > bytes) {
        if (!ended.signal.aborted) onExceeded();
        return;
      }
      await pause(interval, undefined, { signal: ended.signal, ref: false });
    }
  };
  // the only error is the end of the watch
  void watch().catch(() => {});
  return { [Symbol.dispose]: () => ended.abort() };
}

/** Bytes that a process and its children have in memory; 0 when it has ended. */
async function measure(pid: number): Promise<number> {
  let sum = 0;
  const due = [pid];
  for (let i = 0; i < due.length && i < mostProcesses; i += 1) {
    const id = due[i]!;
    const status = await read(`/proc/${id}/status`);
    sum += Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
    // a shell, which a program may be wrapped in, has one thread
    const children = await read(`/proc/${id}/task/${id}/children`);
    due.push(...children.split(' ').filter(Boolean).map(Number));
  }
  return sum;
}

const read = (path: string): Promise<string> => readFile(path, 'latin1').catch(() => '');
