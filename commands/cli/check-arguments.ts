import { selectNearest } from '../../src/base/nearest.ts';
import { fr, type Sentence } from '../../src/text/language.ts';
import type { FlagDefinition } from './command-definition.ts';
import { CommandLineError } from './command-line-error.ts';

/** Flags that mean the same in different commands, and are not written alike. */
const otherNames: Readonly<Record<string, string>> = {
  '--sign-key': '--key',
  '--key': '--sign-key',
  '--json': '--output',
};

/** Suggested flags that need a value, with it. */
const shownAs: Readonly<Record<string, string>> = { '--json': '--output json' };

/**
 * Finds errors that the parser would report as a syntax error only: unknown flags, flags without a value, and
 * empty arguments.
 *
 * @param isKnownElsewhere whether another command has a flag: such a name is not mistyped, so none that looks like it is
 *   suggested. Called for an unknown flag only
 * @throws CommandLineError suggesting the flag that was probably meant
 */
export async function checkArguments(
  args: readonly string[],
  flags: readonly FlagDefinition[],
  usage: Sentence,
  isKnownElsewhere: (flag: string) => Promise<boolean>,
): Promise<void> {
  const known = new Map(
    flags.flatMap(({ names, takesValue }) => names.map((name): [string, boolean] => [name, takesValue])),
  );
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index]!;
    if (arg === '--') return;
    // usually an unset variable of a script
    if (arg === '') throw new CommandLineError(['an argument is empty', fr`un argument est vide`], usage);
    if (!arg.startsWith('-') || arg === '-') continue;
    const equals = arg.indexOf('=');
    const name = equals < 0 ? arg : arg.slice(0, equals);
    const needsValue = known.get(name);
    if (needsValue === undefined) {
      const other = otherNames[name];
      if (other !== undefined && known.has(other))
        throw new CommandLineError(toUnknownFlag(name, shownAs[name] ?? other), usage);
      if (await isKnownElsewhere(name)) throw new CommandLineError(toForeignFlag(name), usage);
      throw new CommandLineError(toUnknownFlag(name, selectNearest(name, known.keys())), usage);
    }
    if (!needsValue || equals >= 0) continue;
    const value = args[index + 1];
    if (value === undefined || (value.startsWith('-') && known.has(value.split('=')[0]!))) {
      throw new CommandLineError([`${name} requires a value`, fr`${name} exige une valeur`], usage);
    }
    index += 1;
  }
}

/** Returns the sentence about an unknown flag. @param nearest the flag that was probably meant */
export function toUnknownFlag(name: string, nearest: string | undefined): Sentence {
  return nearest === undefined
    ? [`unknown flag '${name}'; see --help`, fr`option « ${name} » inconnue ; voir --help`]
    : [
        `unknown flag '${name}'; did you mean ${nearest}?`,
        fr`option « ${name} » inconnue ; vouliez-vous dire ${nearest} ?`,
      ];
}

/** The sentence about a flag that only other commands have. */
const toForeignFlag = (name: string): Sentence => [
  `this command has no flag '${name}'; see --help`,
  fr`cette commande n’a pas d’option « ${name} » ; voir --help`,
];
