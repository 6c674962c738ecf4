import { createInterface } from 'node:readline';
import { addAbortSignal, Writable } from 'node:stream';
import type { CommandContext } from '../cli/command-context.ts';
import { CommandLineError } from '../cli/command-line-error.ts';

/** A password is at most 1024 bytes; whatever is longer is not read to its end. */
const lineLimit = 64 * 1024;

/**
 * A new password: the first line of stdin with `--password-stdin`, else typed twice on the terminal without echo.
 *
 * @throws CommandLineError without a terminal and without the flag, for an empty input, and when the two differ; the
 *   signal's reason
 */
export async function readPassword(context: CommandContext, fromStdin: boolean): Promise<string> {
  if (fromStdin) return readLine(context);
  if (context.stdin.isTTY !== true || context.stderr.isTTY !== true) {
    throw new CommandLineError('no terminal to read the password from: use --password-stdin');
  }
  const { password, problem } = await typePassword(context);
  if (password === undefined) throw new CommandLineError('no password was given; nothing was changed');
  if (problem !== undefined) throw new CommandLineError(`${problem}; nothing was changed`);
  return password;
}

/** A password typed twice on the terminal without echo: none when the person gave none, with a problem when they differ. */
export async function typePassword(
  context: CommandContext,
): Promise<{ readonly password?: string; readonly problem?: string }> {
  const [password, again] = await prompt(context, ['Password: ', 'Password again: ']);
  if (password === undefined || again === undefined) return {};
  return password === again ? { password } : { password, problem: 'the two passwords differ' };
}

async function readLine({ stdin, signal }: CommandContext): Promise<string> {
  let text = '';
  stdin.setEncoding('utf8');
  try {
    // whoever writes into it may never come
    for await (const chunk of addAbortSignal(signal, stdin)) {
      text += chunk;
      if (text.includes('\n') || text.length > lineLimit) break;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
  const line = text.split('\n', 1)[0]!.replace(/\r$/, '');
  if (line === '') throw new CommandLineError('the password on stdin is empty');
  return line;
}

/** Answers typed without echo; it ends early at an empty one, at the end of input and at Ctrl-C. */
async function prompt(context: CommandContext, questions: readonly string[]): Promise<string[]> {
  const muted = new Writable({ write: (_chunk, _encoding, done) => done() });
  // what was asked before may have let go of the terminal
  context.stdin.ref?.();
  // one reader for all questions: between two of them the terminal would echo
  const reader = createInterface({ input: context.stdin, output: muted, terminal: true, historySize: 0 });
  const close = (): void => reader.close();
  reader.on('SIGINT', () => {
    context.interrupt('SIGINT');
    close();
  });
  context.signal.addEventListener('abort', close, { once: true });
  const answers: string[] = [];
  try {
    const lines = reader[Symbol.asyncIterator]();
    for (const question of questions) {
      context.stderr.write(question);
      const { value, done } = await lines.next();
      context.stderr.write('\n');
      if (done || value === '') break;
      answers.push(value);
    }
  } finally {
    context.signal.removeEventListener('abort', close);
    close();
  }
  return answers;
}
