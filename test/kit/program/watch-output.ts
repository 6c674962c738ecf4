import type { ChildProcess } from 'node:child_process';

/** The output of a child, on both of its streams as far as they are pipes. */
export interface WatchedOutput {
  /**
   * The first place of the pattern. Rejects with all that was printed when the child ends before, and when it cannot be
   * started.
   */
  readonly found: Promise<RegExpExecArray>;
  /** Everything it printed so far. */
  text(): string;
}

/**
 * Collects the output of a child, and searches it until a pattern is found. To search a growing log at each of its lines
 * takes more processor time than the child does.
 */
export function watchOutput(child: ChildProcess, pattern: RegExp): WatchedOutput {
  let text = '';
  let isFound = false;
  const found = new Promise<RegExpExecArray>((resolve, reject) => {
    const onText = (part: string): void => {
      text += part;
      const match = isFound ? null : pattern.exec(text);
      if (match === null) return;
      isFound = true;
      resolve(match);
    };
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', onText);
    child.on('error', reject);
    child.on('close', (code) => reject(new Error(`${child.spawnfile} ended with ${code}:\n${text}`)));
  });
  return { found, text: () => text };
}

/** The address in the record of an instance that listens. */
export const listening: RegExp = /"msg":"listening"[^\n]*?"url":"([^"]+)"/;
