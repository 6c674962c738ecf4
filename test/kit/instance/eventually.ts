import { setTimeout as pause } from 'node:timers/promises';

/** Asks until there is an answer, for work of another process that announces no end. @throws when the time is over */
export async function eventually<T>(
  what: string,
  ask: () => Promise<T | undefined | false> | T | undefined | false,
  seconds = 20,
): Promise<T> {
  const end = performance.now() + seconds * 1000;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() > end) throw new Error(`${what}: not within ${seconds} s`);
    await pause(25);
  }
}
