import { Writable } from 'node:stream';
import type { CommandContext } from '../../../commands/cli/command-context.ts';
import { dispatch } from '../../../commands/cli/dispatch.ts';
import type { Language } from '../../../src/text/language.ts';

interface Printed {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a command of the program inside the process of the test, for a user of a language.
 *
 * @param isTerminal whether stderr is a terminal, on which a person reads what comes next
 */
export async function runInLanguage(
  args: readonly string[],
  language: Language,
  env: Readonly<Record<string, string>> = {},
  isTerminal = false,
): Promise<Printed> {
  const printed = { stdout: '', stderr: '' };
  const collect = (name: keyof typeof printed): Writable =>
    new Writable({
      decodeStrings: false,
      write(chunk: string, _encoding, done) {
        printed[name] += chunk;
        done();
      },
    });
  const context = {
    env: { ...env, LC_ALL: language === 'fr' ? 'fr_FR.UTF-8' : 'C' },
    stdin: process.stdin,
    stdout: collect('stdout'),
    stderr: Object.assign(collect('stderr'), { isTTY: isTerminal }),
    colorDepth: 1,
    signal: new AbortController().signal,
    ownSignals: () => {},
    interrupt: () => {},
    run: async () => 0,
  } satisfies CommandContext;
  const exitCode = await dispatch(args, context);
  return { exitCode, ...printed };
}

/** Words that are frequent in the English texts of the program, and are no French words. */
const englishWords =
  /(?<![-./\w])(?:the|of|with|which|is|are|was|must|not|and|to|from|has|have|by|no such|folder|file|files|recipe|recipes|signed|unknown|requires|needs|cannot|more|new|blocked|passed|done|skipped|failed|nothing|needed|free|moved|held|lost|damaged)(?![-./\w])/;

/** Finds an English word in a French text; command lines and paths are not looked at. */
export function findEnglish(text: string): string | undefined {
  return englishWords.exec(text.replaceAll(/svc [a-z]+( [a-z]+)?/g, 'svc'))?.[0];
}
