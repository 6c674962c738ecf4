import { fr, type Sentence, say, selectLanguage } from '../../src/base/language.ts';
import { translateRule } from '../../src/base/rules/translate-rule.ts';
import type { CommandContext } from '../cli/command-context.ts';
import { CommandLineError } from '../cli/command-line-error.ts';
import { readPassword, typePassword } from '../user/read-password.ts';

/** Maximum number of attempts to type the password. */
const attempts = 3;

/**
 * Reads the password of the first administrator: typed twice on the terminal, with repeated attempts, or the
 * first line of stdin.
 *
 * @throws CommandLineError when none was given, SVC-AUTH-007 when the password on stdin is not allowed
 */
export async function readAdminPassword(
  context: CommandContext,
  name: string,
  isAsking: boolean,
): Promise<string> {
  const { findPasswordFlaw, parsePassword } = await import('../../src/account/credential-rules.ts');
  if (!isAsking) return parsePassword(await readPassword(context, true));
  const language = selectLanguage(context.env);
  const printLine = (sentence: Sentence): unknown => context.stderr.write(`${say(sentence, language)}\n`);
  printLine([
    `Password for ${name} (not shown while you type).`,
    fr`Mot de passe de ${name} (non affiché pendant la saisie).`,
  ]);
  for (let left = attempts - 1; ; left -= 1) {
    const { password, problem } = await typePassword(context);
    if (password === undefined)
      throw new CommandLineError([
        'no password was given; nothing was written',
        fr`aucun mot de passe n’a été donné ; rien n’a été écrit`,
      ]);
    const rule = findPasswordFlaw(password);
    const flaw: Sentence | undefined =
      problem ?? (rule === undefined ? undefined : [rule, fr`${translateRule(rule)}`]);
    if (flaw === undefined) return password;
    const [english, french] = flaw;
    if (left === 0)
      throw new CommandLineError([`${english}; nothing was written`, fr`${french} ; rien n’a été écrit`]);
    printLine([`svc: ${english}; try again`, fr`svc: ${french} ; recommencez`]);
  }
}
