import { fr, type Language, type Sentence, say } from '../../src/text/language.ts';
import { type CommandDefinition, type FlagDefinition, toPlaceholder } from '../cli/command-definition.ts';
import { isCommonFlag } from '../cli/common-flags.ts';
import { fitLines, wrap } from './wrap.ts';

/** Width of a help page in columns. */
const lineWidth = 100;
/** Width of the paragraphs in columns. */
const detailsWidth = 80;
/** Widest column of flags; the description of a longer one is on the next line. */
const widestLabel = 34;

/** The texts of a help page around those of the command. */
const words = {
  usage: ['usage: ', fr`usage : `],
  synopsisFlags: ['[flags]', fr`[options]`],
  flags: ['Flags:', fr`Options :`],
  commonFlags: ['Common flags:', fr`Options communes :`],
  commonHint: ['described in svc(1)', fr`décrites dans svc(1)`],
  examples: ['Examples:', fr`Exemples :`],
  colon: [':', fr` :`],
} as const satisfies Readonly<Record<string, Sentence>>;

const helpFlag: FlagDefinition = {
  names: ['-h', '--help'],
  takesValue: false,
  help: ['show this help', fr`affiche cette aide`],
  values: 'value',
};

/** Renders the synopsis: `svc user add [flags] <name>`. */
export function renderSynopsis(command: CommandDefinition, language: Language = 'en'): string {
  const positionals = command.arguments.map(({ name, required, repeated }) => {
    const shown = say(name, language);
    return `${required ? `<${shown}>` : `[${shown}]`}${repeated ? ' ...' : ''}`;
  });
  return ['svc', ...command.path, say(words.synopsisFlags, language), ...positionals].join(' ');
}

/** Renders the two lines below a usage error: the synopsis, and where to find more. */
export function renderBriefUsage(command: CommandDefinition, language: Language): string {
  const help = `svc ${command.path.join(' ')} --help`;
  const more: Sentence = [
    `See '${help}' for flags and examples.`,
    fr`Voir « ${help} » pour les options et des exemples.`,
  ];
  return `${say(words.usage, language)}${renderSynopsis(command, language)}\n${say(more, language)}`;
}

/**
 * Renders the help page of a command: its own flags, then the names of those that every command has.
 *
 * @param width columns of the terminal; a page is never wider than 100
 */
export function renderUsage(
  command: CommandDefinition,
  language: Language = 'en',
  width: number = lineWidth,
): string {
  const { flags, summary, details, examples } = command;
  const own = [...flags.filter((flag) => !isCommon(flag)), helpFlag];
  const room = Math.min(lineWidth, width);
  const lines = examples.map(
    ([title, line]) => `  ${say(title, language)}${say(words.colon, language)}\n    ${line}\n`,
  );
  return [
    fitLines(`${say(summary, language)}\n\n`, room),
    `${say(words.usage, language)}${renderSynopsis(command, language)}\n`,
    details.length === 0 ? '' : `\n${renderDetails(details, language, Math.min(detailsWidth, room))}\n`,
    `\n${say(words.flags, language)}\n${renderFlags(own, language, room)}`,
    `\n${renderCommonFlags(flags.filter(isCommon), language, room)}`,
    lines.length === 0 ? '' : `\n${say(words.examples, language)}\n${lines.join('')}`,
  ].join('');
}

/** Whether a flag is described as in every command. */
const isCommon = ({ names, help }: FlagDefinition): boolean => isCommonFlag(names[0]!, help);

/** Renders the paragraphs of a help page. @param width columns */
export function renderDetails(
  details: readonly Sentence[],
  language: Language = 'en',
  width = detailsWidth,
): string {
  return details.map((paragraph) => wrap(say(paragraph, language), width).join('\n')).join('\n\n');
}

/** Renders flags with their descriptions. */
export function renderFlags(
  flags: readonly FlagDefinition[],
  language: Language = 'en',
  room: number = lineWidth,
): string {
  const labels = flags.map((flag) => labelFlag(flag, language));
  const widest = Math.min(widestLabel, Math.floor(room / 2));
  const width = Math.min(widest, Math.max(...labels.map((label) => label.length)));
  return flags.map(({ help }, i) => renderFlag(labels[i]!, width, say(help, language), room)).join('');
}

/** Renders the names of the common flags, with the formats of the report, which differ between commands. */
function renderCommonFlags(flags: readonly FlagDefinition[], language: Language, room: number): string {
  if (flags.length === 0) return '';
  const names = flags.map((flag) =>
    flag.names.includes('--output') ? labelFlag(flag, language) : flag.names.join(', '),
  );
  const text = `${say(words.commonFlags, language)} ${names.join(', ')} (${say(words.commonHint, language)})`;
  return `${wrap(text, room - 4).join('\n    ')}\n`;
}

/** Renders one flag of a list, with a wrapped description. */
function renderFlag(label: string, width: number, description: string, room: number): string {
  const [first = '', ...more] = wrap(description, room - width - 4);
  const indent = ' '.repeat(width + 4);
  const rest = more.map((line) => `${indent}${line}\n`).join('');
  if (label.length > width) return `  ${label}\n${indent}${first}\n${rest}`;
  return `  ${label.padEnd(width)}  ${first}\n${rest}`;
}

/** Renders a flag with the placeholder of its value: `--config <path>`. */
export function labelFlag(flag: FlagDefinition, language: Language = 'en'): string {
  const names = flag.names.join(', ');
  return flag.takesValue ? `${names} ${say(toPlaceholder(flag.values), language)}` : names;
}
