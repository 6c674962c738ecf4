import { isSvcError } from '../../src/base/error.ts';
import { CommandLineError } from './command-line-error.ts';

/**
 * Parses a positional argument or the value of a flag, before the command starts its work.
 *
 * @param form expected form, as in the usage: `<name>:<version>`
 * @throws CommandLineError when `parse` throws an error with a rule
 */
export function parseArgument<T>(form: string, value: string, parse: (value: string) => T): T {
  try {
    return parse(value);
  } catch (error) {
    if (!isSvcError(error)) throw error;
    const { rule } = error.params;
    throw new CommandLineError(
      `'${value.slice(0, 512)}' is not ${form}${rule === undefined ? '' : `: ${rule}`}`,
    );
  }
}
