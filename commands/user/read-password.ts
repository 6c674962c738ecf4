import { createInterface } from 'node:readline';
import { addAbortSignal, Writable } from 'node:stream';
import { fr, type Sentence, say, selectLanguage } from '../../src/text/language.ts';
import type { CommandContext } from '../cli/command-context.ts';
import { CommandLineError } from '../cli/command-line-error.ts';

/**
 * Maximum length of a line in bytes. A password has at most 1024 bytes; longer input is not read to its end.
 */
const lineLimit = 64 * 1024;

const prompts: readonly Sentence[] = [
  ['Password: ', fr`Mot de passe : `],
  ['Password again: ', fr`Mot de passe, à nouveau : `],
];
const different: Sentence = ['the two passwords differ', fr`les deux mots de passe diffèrent`];

/**
 * Reads a new password: the first line of stdin with `--password-stdin`, else typed twice on the terminal
 * without echo.
 *
 * @throws CommandLineError without a terminal and without the flag, for an empty input, and when the two
 *   differ; the reason of the signal
 */
export async function readPassword(context: CommandContext, fromStdin: boolean): Promise<string> {
  if (fromStdin) return readLine(context);
  if (context.stdin.isTTY !== true || context.stderr.isTTY !== true) {
    throw new CommandLineError([
      'no terminal to read the password from: use --password-stdin',
      fr`pas de terminal pour saisir le mot de passe : utilisez --password-stdin`,
    ]);
  }
  const { password, problem } = await typePassword(context);
  if (password === undefined)
    throw new CommandLineError([
      'no password was given; nothing was changed',
      fr`aucun mot de passe n’a été donné ; rien n’a été modifié`,
    ]);
  if (problem !== undefined)
    throw new CommandLineError([
      `${problem[0]}; nothing was changed`,
      fr`${problem[1]} ; rien n’a été modifié`,
    ]);
  return password;
}

/**
 * Reads a password typed twice on the terminal without echo. No password when the user entered none; a
 * problem when the two differ.
 */
export async function typePassword(
  context: CommandContext,
): Promise<{ readonly password?: string; readonly problem?: Sentence }> {
  const language = selectLanguage(context.env);
  const [password, again] = await prompt(
    context,
    prompts.map((text) => say(text, language)),
  );
  if (password === undefined || again === undefined) return {};
  return password === again ? { password } : { password, problem: different };
}

async function readLine({ stdin, signal }: CommandContext): Promise<string> {
  let text = '';
  stdin.setEncoding('utf8');
  try {
    // abortable, since the writer of the pipe may never write
    for await (const chunk of addAbortSignal(signal, stdin)) {
      text += chunk;
      if (text.includes('\n') || text.length > lineLimit) break;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
  const line = text.split('\n', 1)[0]!.replace(/\r$/, '');
  if (line === '')
    throw new CommandLineError([
      'the password on stdin is empty',
      fr`le mot de passe lu sur l’entrée standard est vide`,
    ]);
  return line;
}

/** Reads answers without echo. Ends early at an empty answer, at the end of input and at Ctrl-C. */
async function prompt(context: CommandContext, questions: readonly string[]): Promise<string[]> {
  const muted = new Writable({ write: (_chunk, _encoding, done) => done() });
  // an earlier dialog may have released the terminal
  context.stdin.ref?.();
  // one reader for all questions: between two readers the terminal would echo
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
