import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { svcCommand, svcEnvironment, trackChild } from './svc.ts';

export interface TypedResult {
  readonly exitCode: number;
  /** All that was shown, one frame after the other, without colours and cursor movements. */
  readonly screen: string;
}

/** The beginning of a control sequence at the end of the received text. */
const unfinishedSequence = /\u001b(\[[0-?]*[ -/]*)?$/;

/**
 * Runs `svc` on a terminal of its own and types each answer once its question stands on the screen, after the answer
 * before it.
 *
 * @param script the program of util-linux that makes the terminal
 * @throws when it ends, or is ended after a minute, before it has shown them all
 */
export async function typeInto(
  script: string,
  args: readonly string[],
  answers: readonly (readonly [question: string, text: string])[],
  options: {
    readonly cwd?: string;
    readonly env?: Readonly<Record<string, string>>;
    /** Width of the terminal in characters. */
    readonly columns?: number;
  } = {},
): Promise<TypedResult> {
  const line = [...svcCommand(), ...args].map((word) => `'${word}'`).join(' ');
  const child = trackChild(
    spawn(script, ['-qec', `stty cols ${options.columns ?? 100}; exec ${line}`, '/dev/null'], {
      env: svcEnvironment({ TERM: 'xterm', ...options.env }),
      cwd: options.cwd,
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: 60_000,
    }),
  );
  let screen = '';
  let typed = 0;
  let seen = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
    const next = answers[typed];
    // the rest of a sequence that was cut in two is no text, and would shift the seen part
    const shown = stripVTControlCharacters(screen.replace(unfinishedSequence, ''));
    if (next === undefined || !shown.slice(seen).includes(next[0])) return;
    typed += 1;
    seen = shown.length;
    child.stdin.write(next[1]);
  });
  const [exitCode] = await once(child, 'close');
  const unasked = answers[typed];
  if (unasked !== undefined)
    throw new Error(`it ended before it had shown ${unasked[0]}:\n${stripVTControlCharacters(screen)}`);
  return { exitCode, screen: stripVTControlCharacters(screen) };
}
