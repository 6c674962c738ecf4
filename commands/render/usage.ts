import type { Definition } from 'clipanion';
import type { FlagValues } from '../cli/base-command.ts';
import { commonDescriptions, placeholders } from '../cli/common-flags.ts';
import { fitLines, wrap } from './wrap.ts';

/** A flag as the command defines it. */
export interface FlagDefinition {
  readonly names: readonly string[];
  readonly takesValue: boolean;
  readonly description: string;
}

/** Width of a help page in columns. */
const lineWidth = 100;
/** Width of the paragraphs as they are made, in columns. */
const detailsWidth = 80;
/** Widest column of flags; the description of a longer one is on the next line. */
const widestLabel = 34;

/** Texts of a help page around those of the command; the French ones are in `commands/help-fr/usage.ts`. */
export interface UsageWords {
  readonly usage: string;
  readonly synopsisFlags: string;
  readonly flags: string;
  readonly commonFlags: string;
  /** Where the common flags are described. */
  readonly commonHint: string;
  /** Descriptions of the common flags. */
  readonly common: Readonly<Record<string, string>>;
  readonly examples: string;
  /** Follows the title of an example. */
  readonly colon: string;
  readonly helpFlag: string;
  /** Returns the placeholder of a value, `<path>`, in the language. */
  readonly placeholder: (english: string) => string;
  /** Where to find more, in a usage error. */
  readonly more: (command: string) => string;
}

export const usageEn: UsageWords = {
  usage: 'usage: ',
  synopsisFlags: '[flags]',
  flags: 'Flags:',
  commonFlags: 'Common flags:',
  commonHint: 'described in svc(1)',
  common: commonDescriptions,
  examples: 'Examples:',
  colon: ':',
  helpFlag: 'show this help',
  placeholder: (english) => english,
  more: (command) => `See '${command} --help' for flags and examples.`,
};

const helpNames = ['-h', '--help'];

/** Lists the flags of a command, without the common `-h, --help`. */
export function toFlags(definition: Definition | undefined): FlagDefinition[] {
  return (definition?.options ?? []).map(({ definition: text, description }) => ({
    names: text.split(' ')[0]!.split(','),
    takesValue: text.includes('#0'),
    description: description ?? '',
  }));
}

/** Renders the synopsis: `svc user add [flags] <name>`. */
export function renderSynopsis(
  path: readonly string[],
  definition: Definition | undefined,
  words: UsageWords = usageEn,
): string {
  const positionals = [...(definition?.usage ?? '').matchAll(/(?:<[^>]+>|\[<?[a-z][^\]]*\])(?:\s*\.\.\.)?/gi)]
    .map(([text]) => text)
    .filter((text) => !text.includes('--'))
    .map((text) => text.replace(/<[^>]+>/, words.placeholder));
  return ['svc', ...path, words.synopsisFlags, ...positionals].join(' ');
}

/** Renders the two lines below a usage error: the synopsis, and where to find more. */
export function renderBriefUsage(
  path: readonly string[],
  definition: Definition | undefined,
  words: UsageWords,
): string {
  return `${words.usage}${renderSynopsis(path, definition, words)}\n${words.more(`svc ${path.join(' ')}`)}`;
}

/**
 * Renders the help page of a command: its own flags, then the names of those that every command has.
 *
 * @param width columns of the terminal; a page is never wider than 100
 */
export function renderUsage(
  path: readonly string[],
  definition: Definition | undefined,
  values: Readonly<Record<string, FlagValues>>,
  words: UsageWords = usageEn,
  width: number = lineWidth,
): string {
  const flags = toFlags(definition);
  const isCommon = ({ names, description }: FlagDefinition): boolean =>
    names.some((name) => words.common[name] === description);
  const helpFlag: FlagDefinition = { names: helpNames, takesValue: false, description: words.helpFlag };
  const own = [...flags.filter((flag) => !isCommon(flag)), helpFlag];
  const examples = (definition?.examples ?? [])
    .map(([what, command]) => `  ${what.trim()}${words.colon}\n    ${command.trim()}\n`)
    .join('');
  const room = Math.min(lineWidth, width);
  return [
    fitLines(`${definition?.description?.trim() ?? ''}\n\n`, room),
    `${words.usage}${renderSynopsis(path, definition, words)}\n`,
    definition?.details ? `\n${fitDetails(definition.details, room)}\n` : '',
    `\n${words.flags}\n${renderFlags(own, values, words, room)}`,
    `\n${renderCommonFlags(flags.filter(isCommon), values, words, room)}`,
    examples === '' ? '' : `\n${words.examples}\n${examples}`,
  ].join('');
}

/** The paragraphs of a page, which are made for {@link detailsWidth}, for a narrower terminal. */
function fitDetails(details: string, width: number): string {
  const text = details.trim().replace(/ +$/gm, '');
  if (width >= detailsWidth) return text;
  const paragraphs = text.split(/\n{2,}/).map((each) => wrap(each.replaceAll('\n', ' '), width).join('\n'));
  return paragraphs.join('\n\n');
}

/** Renders flags with their descriptions. */
export function renderFlags(
  flags: readonly FlagDefinition[],
  values: Readonly<Record<string, FlagValues>>,
  words: UsageWords = usageEn,
  room: number = lineWidth,
): string {
  const labels = flags.map((flag) => labelFlag(flag, values, words));
  const widest = Math.min(widestLabel, Math.floor(room / 2));
  const width = Math.min(widest, Math.max(...labels.map((label) => label.length)));
  return flags.map(({ description }, i) => renderFlag(labels[i]!, width, description, room)).join('');
}

/** Renders the names of the common flags, with the formats of the report, which differ between commands. */
function renderCommonFlags(
  flags: readonly FlagDefinition[],
  values: Readonly<Record<string, FlagValues>>,
  words: UsageWords,
  room: number,
): string {
  if (flags.length === 0) return '';
  const names = flags.map((flag) =>
    flag.names.includes('--output') ? labelFlag(flag, values, words) : flag.names.join(', '),
  );
  const text = `${words.commonFlags} ${names.join(', ')} (${words.commonHint})`;
  return `${wrap(text, room - 4).join('\n    ')}\n`;
}

const shapes = {
  file: '<path>',
  folder: '<dir>',
  recipe: '<name[@version]>',
  repository: '<repository>',
} as const;

/** Renders one flag of a list, with a wrapped description. */
function renderFlag(label: string, width: number, description: string, room: number): string {
  const [first = '', ...more] = wrap(description, room - width - 4);
  const indent = ' '.repeat(width + 4);
  const rest = more.map((line) => `${indent}${line}\n`).join('');
  if (label.length > width) return `  ${label}\n${indent}${first}\n${rest}`;
  return `  ${label.padEnd(width)}  ${first}\n${rest}`;
}

/** Renders a flag with the placeholder of its value: `--config <path>`. */
export function labelFlag(
  { names, takesValue }: FlagDefinition,
  values: Readonly<Record<string, FlagValues>>,
  words: UsageWords = usageEn,
): string {
  if (!takesValue) return names.join(', ');
  const known = names.map((name) => values[name]).find((value) => value !== undefined);
  const placeholder = names.map((name) => placeholders[name]).find((name) => name !== undefined);
  const shape = typeof known === 'string' ? shapes[known] : (known?.join('|') ?? '<value>');
  return `${names.join(', ')} ${words.placeholder(placeholder ?? shape)}`;
}
