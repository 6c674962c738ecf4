import { isSvcError } from '../../src/base/error.ts';
import { CommandLineError } from './command-line-error.ts';

/**
 * Parses a positional argument or the value of a flag, before any work.
 *
 * @param form what is expected, as the usage shows it: `<name>:<version>`
 * @throws CommandLineError for a value that `parse` refuses with a rule
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
