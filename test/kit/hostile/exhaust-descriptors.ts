import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { needs } from '../program/peers.ts';

function setSoftLimit(files: number): void {
  const { status, stderr } = spawnSync('prlimit', ['--pid', String(process.pid), `--nofile=${files}:`]);
  if (status !== 0) throw new Error(`prlimit: ${stderr}`);
}

export interface ExhaustedDescriptors extends Disposable {
  /** Takes those that were given back since, as by a connection that has closed meanwhile. */
  takeAgain(): void;
  /** Gives some of them back. */
  spare(count: number): void;
}

/**
 * Takes every file descriptor that this process may still open, until it is disposed. Open files and connections go on,
 * and each later open fails with EMFILE.
 *
 * @returns undefined when the machine has no prlimit; the test must return then
 */
export function exhaustDescriptors(t: TestContext): ExhaustedDescriptors | undefined {
  if (!needs(t, 'prlimit')) return undefined;
  const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))!;
  setSoftLimit(512);
  const taken: number[] = [];
  const takeAgain = (): void => {
    try {
      for (;;) taken.push(openSync('/dev/null', 'r'));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EMFILE') throw error;
    }
  };
  takeAgain();
  return {
    takeAgain,
    spare: (count) => {
      for (const fd of taken.splice(-count, count)) closeSync(fd);
    },
    [Symbol.dispose]: () => {
      for (const fd of taken) closeSync(fd);
      setSoftLimit(Number(soft));
    },
  };
}
