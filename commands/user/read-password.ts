import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { CommandContext } from '../command-context.ts';
import { CommandLineError } from '../command-line-error.ts';

/** A password is at most 1024 bytes; whatever is longer is not read to its end. */
const lineLimit = 64 * 1024;

/**
 * A new password: the first line of stdin with `--password-stdin`, else typed twice on the terminal without echo.
 *
 * @throws CommandLineError without a terminal and without the flag, for an empty input, and when the two differ
 */
export async function readPassword(context: CommandContext, fromStdin: boolean): Promise<string> {
  if (fromStdin) return readLine(context);
  if (context.stdin.isTTY !== true || context.stderr.isTTY !== true) {
    throw new CommandLineError('there is no terminal to ask for the password: use --password-stdin');
  }
  const first = await prompt(context, 'Password: ');
  if (first === '') throw new CommandLineError('the password is empty');
  const second = await prompt(context, 'Password again: ');
  if (first !== second) throw new CommandLineError('the two passwords differ; nothing was changed');
  return first;
}

async function readLine({ stdin, signal }: CommandContext): Promise<string> {
  let text = '';
  stdin.setEncoding('utf8');
  for await (const chunk of stdin) {
    signal.throwIfAborted();
    text += chunk;
    if (text.includes('\n') || text.length > lineLimit) break;
  }
  const line = text.split('\n', 1)[0]!.replace(/\r$/, '');
  if (line === '') throw new CommandLineError('the password on stdin is empty');
  return line;
}

async function prompt(context: CommandContext, question: string): Promise<string> {
  const muted = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: context.stdin, output: muted, terminal: true, historySize: 0 });
  const aborted = new AbortController();
  terminal.on('SIGINT', () => {
    aborted.abort();
    context.interrupt('SIGINT');
  });
  terminal.on('close', () => aborted.abort());
  context.stderr.write(question);
  try {
    return await terminal.question('', { signal: AbortSignal.any([aborted.signal, context.signal]) });
  } catch {
    throw new CommandLineError('no password was given; nothing was changed');
  } finally {
    terminal.close();
    context.stderr.write('\n');
  }
}
