import { fr, type Sentence, say, selectLanguage } from '../../src/text/language.ts';
import type { CommandContext } from '../cli/command-context.ts';
import { CommandLineError } from '../cli/command-line-error.ts';
import { toRuleSentence } from '../cli/sentence-error.ts';
import { readPassword, typePassword } from '../user/read-password.ts';

/** Maximum number of attempts to type the password. */
const attempts = 3;

interface AskedPassword {
  /** Name of the administrator. */
  readonly name: string;
  /** Whether it is typed on the terminal. */
  readonly isAsking: boolean;
  /** Least characters. */
  readonly minLength: number;
}

/**
 * Reads the password of the first administrator: typed twice on the terminal, with repeated attempts, or the
 * first line of stdin.
 *
 * @throws CommandLineError when none was given, SVC-AUTH-007 when the password on stdin is not allowed
 */
export async function readAdminPassword(
  context: CommandContext,
  { name, isAsking, minLength }: AskedPassword,
): Promise<string> {
  const { findNewPasswordFlaw, parsePassword } = await import('../../src/account/credential-rules.ts');
  if (!isAsking) return parsePassword(await readPassword(context, true), minLength);
  const language = selectLanguage(context.env);
  const printLine = (sentence: Sentence): unknown => context.stderr.write(`${say(sentence, language)}\n`);
  printLine([
    `Password for ${name} (at least ${minLength} characters, not shown while you type).`,
    fr`Mot de passe de ${name} (au moins ${minLength} caractères, non affiché pendant la saisie).`,
  ]);
  for (let left = attempts - 1; ; left -= 1) {
    const { password, problem } = await typePassword(context);
    if (password === undefined)
      throw new CommandLineError([
        'no password was given; nothing was written',
        fr`aucun mot de passe n’a été donné ; rien n’a été écrit`,
      ]);
    const flaw = findNewPasswordFlaw(password, minLength);
    if (problem === undefined && flaw === undefined) return password;
    const [english, french] = problem ?? toRuleSentence(flaw!);
    if (left === 0)
      throw new CommandLineError([`${english}; nothing was written`, fr`${french} ; rien n’a été écrit`]);
    printLine([`svc: ${english}; try again`, fr`svc: ${french} ; recommencez`]);
  }
}
