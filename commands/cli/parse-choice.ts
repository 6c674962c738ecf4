import { fr } from '../../src/text/language.ts';
import { CommandLineError } from './command-line-error.ts';

/** Parses the value of a flag that is one of a list, in any case. @throws CommandLineError */
export function parseChoice<T extends string, V extends string | undefined>(
  flag: string,
  value: V,
  values: readonly T[],
): T | Extract<V, undefined> {
  if (value === undefined) return undefined as Extract<V, undefined>;
  const found = values.find((each) => each.toLowerCase() === value.toLowerCase());
  if (found !== undefined) return found;
  const known = values.join(', ');
  throw new CommandLineError([`${flag} takes one of ${known}`, fr`${flag} prend une valeur parmi ${known}`]);
}
