import { isSvcError } from '../../src/text/error.ts';
import { fr, type Sentence } from '../../src/text/language.ts';
import { textParam } from '../../src/text/text-param.ts';
import { CommandLineError } from './command-line-error.ts';
import { toRuleSentence } from './sentence-error.ts';

/**
 * Parses a positional argument or the value of a flag, before the command starts its work.
 *
 * @param form expected form in both languages, as in the usage: `<name>:<version>`
 * @throws CommandLineError when `parse` throws an error with a rule
 */
export async function parseArgument<T>(
  form: Sentence,
  value: string,
  parse: (value: string) => T,
): Promise<T> {
  const [english, french] = form;
  try {
    return parse(value);
  } catch (error) {
    if (!isSvcError(error)) throw error;
    const shown = value.slice(0, 512);
    const broken = textParam(error, 'rule');
    if (broken === undefined)
      throw new CommandLineError([`'${shown}' is not ${english}`, fr`« ${shown} » n’est pas ${french}`]);
    const why = toRuleSentence(broken);
    throw new CommandLineError([
      `'${shown}' is not ${english}: ${why[0]}`,
      fr`« ${shown} » n’est pas ${french} : ${why[1]}`,
    ]);
  }
}
