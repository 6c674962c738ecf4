import type { Definition } from 'clipanion';
import { setFrenchSpaces } from '../../src/text/language.ts';
import { wrap } from '../render/wrap.ts';
import { accessFr } from './access.ts';
import type { CommandHelp } from './command-help.ts';
import { commonFlagsFr } from './common.ts';
import { contentFr } from './content.ts';
import { draftFr } from './draft.ts';
import { lookFr } from './look.ts';
import { maintainFr } from './maintain.ts';
import { overviewFr } from './overview.ts';
import { recipeFr } from './recipe.ts';
import { setUpFr } from './set-up.ts';
import { signingFr } from './signing.ts';
import { transferFr } from './transfer.ts';

/** French help by the path of the command. */
export const helpFr: Readonly<Record<string, CommandHelp>> = {
  ...accessFr,
  ...setUpFr,
  ...contentFr,
  ...draftFr,
  ...lookFr,
  ...recipeFr,
  ...transferFr,
  ...maintainFr,
  ...signingFr,
};

/** Width of a paragraph in columns; clipanion wraps the English ones at the same. */
const paragraphWidth = 80;

/** Returns the definition of a command with its texts in French. Names, usage and command lines are unchanged. */
export function toFrenchDefinition(
  path: readonly string[],
  definition: Definition | undefined,
): Definition | undefined {
  const name = path.join(' ');
  const help = helpFr[name];
  if (definition === undefined || help === undefined) return definition;
  const { details, flags, examples } = help;
  const describe = (names: readonly string[]): string | undefined =>
    names.map((flag) => flags[flag] ?? commonFlagsFr[flag]).find((text) => text !== undefined);
  return {
    ...definition,
    description: setFrenchSpaces(overviewFr.summaries[name] ?? ''),
    details: details.map((text) => wrap(setFrenchSpaces(text), paragraphWidth).join('\n')).join('\n\n'),
    examples: (definition.examples ?? []).map(([title, line], index) => [
      setFrenchSpaces(examples[index] ?? title),
      line,
    ]),
    options: definition.options.map((option) => {
      const text = describe(option.definition.split(' ')[0]!.split(','));
      return text === undefined ? option : { ...option, description: setFrenchSpaces(text) };
    }),
  };
}
