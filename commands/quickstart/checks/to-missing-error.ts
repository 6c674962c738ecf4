import { fr, inBoth } from '../../../src/text/language.ts';
import { CommandLineError } from '../../cli/command-line-error.ts';
import { type QuickstartAnswers, renderEquivalentCommands } from '../equivalent-commands.ts';

interface Missing {
  /** The given answers, completed by the defaults. */
  readonly answers: QuickstartAnswers;
  /** Whether a terminal would not have been asked either. */
  readonly hasAll: boolean;
}

/** The error for missing flags without a person to ask, with the commands that need no answer. */
export function toMissingError(missing: readonly string[], { answers, hasAll }: Missing): CommandLineError {
  const isAlone = missing.length === 1;
  const listed = (and: string): string =>
    [missing.slice(0, -1).join(', '), missing.at(-1)].filter(Boolean).join(` ${and} `);
  return new CommandLineError(
    [
      `${hasAll ? '' : 'there is no terminal to ask on, and '}${listed('and')} ${isAlone ? 'was' : 'were'} not given`,
      fr`${hasAll ? '' : fr`pas de terminal pour poser les questions ; `}il manque ${listed('et')}`,
    ],
    inBoth((language) => renderEquivalentCommands(answers, language)),
  );
}
