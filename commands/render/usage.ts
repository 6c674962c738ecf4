import type { Definition } from 'clipanion';
import type { FlagValues } from '../cli/base-command.ts';
import { placeholders } from '../cli/common-flags.ts';
import { wrap } from './wrap.ts';

/** A flag as the command defines it. */
export interface FlagDefinition {
  readonly names: readonly string[];
  readonly takesValue: boolean;
  readonly description: string;
}

/** Width of a help page in columns. */
const lineWidth = 100;

/** Texts of a help page around those of the command; the French ones are in `commands/help-fr/usage.ts`. */
export interface UsageWords {
  readonly usage: string;
  readonly synopsisFlags: string;
  readonly flags: string;
  readonly commonFlags: string;
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

/** Renders the help page of a command. */
export function renderUsage(
  path: readonly string[],
  definition: Definition | undefined,
  values: Readonly<Record<string, FlagValues>>,
  commonFlags: ReadonlySet<string>,
  words: UsageWords = usageEn,
): string {
  const flags = toFlags(definition);
  const own = flags.filter(({ names }) => !names.some((name) => commonFlags.has(name)));
  const helpFlag: FlagDefinition = { names: helpNames, takesValue: false, description: words.helpFlag };
  const common = [...flags.filter(({ names }) => names.some((name) => commonFlags.has(name))), helpFlag];
  const label = (flag: FlagDefinition): string => labelFlag(flag, values, words);
  const width = Math.max(...flags.map((flag) => label(flag).length));
  const list = (title: string, some: readonly FlagDefinition[]): string =>
    some.length === 0
      ? ''
      : `\n${title}\n${some.map((flag) => renderFlag(label(flag), width, flag.description)).join('')}`;
  const examples = (definition?.examples ?? [])
    .map(([what, command]) => `  ${what.trim()}${words.colon}\n    ${command.trim()}\n`)
    .join('');
  return [
    `${definition?.description?.trim() ?? ''}\n\n`,
    `${words.usage}${renderSynopsis(path, definition, words)}\n`,
    definition?.details ? `\n${definition.details.trim().replace(/ +$/gm, '')}\n` : '',
    list(words.flags, own),
    list(words.commonFlags, common),
    examples === '' ? '' : `\n${words.examples}\n${examples}`,
  ].join('');
}

const shapes = {
  file: '<path>',
  folder: '<dir>',
  recipe: '<name[@version]>',
  repository: '<repository>',
} as const;

/** Renders one flag of a list, with a wrapped description. */
function renderFlag(label: string, width: number, description: string): string {
  const [first = '', ...more] = wrap(description, lineWidth - width - 4);
  const indent = ' '.repeat(width + 4);
  return `  ${label.padEnd(width)}  ${[first, ...more.map((line) => indent + line)].join('\n')}\n`;
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
