import { Readable, Writable } from 'node:stream';
import type { CommandContext } from '../../../commands/cli/command-context.ts';
import { dispatch } from '../../../commands/cli/dispatch.ts';
import type { Language } from '../../../src/text/language.ts';
import { runSvc, type SvcOptions, type SvcResult, svcEnvironment } from './svc.ts';

/** A place that a text is written to. */
function collect(): { readonly stream: Writable; text(): string } {
  let text = '';
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  return { stream, text: () => text };
}

/** Commands that run in a working directory of their own, which is that of the whole process. */
let placed = 0;

/**
 * Runs a command of the program inside the process of the test. It prints and answers as `runSvc` does, which takes
 * twenty times as long to start. Properties of a process (signals, a terminal, its end, variables that Node reads itself)
 * need `runSvc`. With a signal that kills it or a time limit, the command is a process.
 *
 * @param isTerminal whether stderr is a terminal, on which a person reads the next step
 */
export async function runCommand(
  args: readonly string[],
  options: SvcOptions = {},
  isTerminal = false,
): Promise<SvcResult> {
  if (options.signal !== undefined || options.timeout !== undefined) return runSvc(args, options);
  const start = performance.now();
  const [stdout, stderr] = [collect(), collect()];
  const context: CommandContext = {
    env: svcEnvironment(options.env),
    stdin: Readable.from(options.input === undefined ? [] : [Buffer.from(options.input)]),
    stdout: stdout.stream,
    stderr: Object.assign(stderr.stream, { isTTY: isTerminal }),
    colorDepth: 1,
    signal: new AbortController().signal,
    ownSignals: () => {},
    interrupt: () => {},
    run: (others) => dispatch(others, context),
  };
  const home = process.cwd();
  if (options.cwd !== undefined) {
    if (placed > 0) throw new Error('one command at a time has a working directory of its own');
    placed += 1;
    process.chdir(options.cwd);
  }
  try {
    const exitCode = await dispatch(args, context);
    const milliseconds = performance.now() - start;
    return { exitCode, signal: null, stdout: stdout.text(), stderr: stderr.text(), milliseconds };
  } finally {
    if (options.cwd !== undefined) {
      placed -= 1;
      process.chdir(home);
    }
  }
}

/** Runs a command as `runCommand` does, for a user of a language. */
export function runInLanguage(
  args: readonly string[],
  language: Language,
  env: Readonly<Record<string, string>> = {},
  isTerminal = false,
): Promise<SvcResult> {
  const locale = language === 'fr' ? 'fr_FR.UTF-8' : 'C';
  return runCommand(args, { env: { ...env, LC_ALL: locale } }, isTerminal);
}

/** Words that are frequent in the English texts of the program, and are no French words. */
const englishWords =
  /(?<![-./\w])(?:the|of|with|which|is|are|was|must|not|and|to|from|has|have|by|no such|folder|file|files|recipe|recipes|signed|unknown|requires|needs|cannot|more|new|blocked|passed|done|skipped|failed|nothing|needed|free|moved|held|lost|damaged)(?![-./\w])/;

/** Finds an English word in a French text; command lines and paths are not looked at. */
export function findEnglish(text: string): string | undefined {
  return englishWords.exec(text.replaceAll(/svc [a-z]+( [a-z]+)?/g, 'svc'))?.[0];
}
