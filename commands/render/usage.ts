import type { Definition } from 'clipanion';
import type { FlagValues } from '../cli/base-command.ts';
import { placeholders } from '../cli/common-flags.ts';

/** A flag as the command defines it. */
export interface FlagDefinition {
  readonly names: readonly string[];
  readonly takesValue: boolean;
  readonly description: string;
}

/** Width of a help page in columns. */
const lineWidth = 100;

const helpFlag: FlagDefinition = {
  names: ['-h', '--help'],
  takesValue: false,
  description: 'show this help',
};

/** Lists the flags of a command, without the common `-h, --help`. */
export function toFlags(definition: Definition | undefined): FlagDefinition[] {
  return (definition?.options ?? []).map(({ definition: text, description }) => ({
    names: text.split(' ')[0]!.split(','),
    takesValue: text.includes('#0'),
    description: description ?? '',
  }));
}

/** Renders the synopsis: `svc user add [flags] <name>`. */
export function renderSynopsis(path: readonly string[], definition: Definition | undefined): string {
  const positionals = [...(definition?.usage ?? '').matchAll(/(?:<[^>]+>|\[<?[a-z][^\]]*\])(?:\s*\.\.\.)?/gi)]
    .map(([text]) => text)
    .filter((text) => !text.includes('--'));
  return ['svc', ...path, '[flags]', ...positionals].join(' ');
}

/** Renders the help page of a command. */
export function renderUsage(
  path: readonly string[],
  definition: Definition | undefined,
  values: Readonly<Record<string, FlagValues>>,
  commonFlags: ReadonlySet<string>,
): string {
  const flags = toFlags(definition);
  const own = flags.filter(({ names }) => !names.some((name) => commonFlags.has(name)));
  const common = [...flags.filter(({ names }) => names.some((name) => commonFlags.has(name))), helpFlag];
  const width = Math.max(...flags.map((flag) => labelFlag(flag, values).length));
  const list = (title: string, some: readonly FlagDefinition[]): string =>
    some.length === 0
      ? ''
      : `\n${title}:\n${some.map((flag) => renderFlag(labelFlag(flag, values), width, flag.description)).join('')}`;
  const examples = (definition?.examples ?? [])
    .map(([what, command]) => `  ${what.trim()}:\n    ${command.trim()}\n`)
    .join('');
  return [
    `${definition?.description?.trim() ?? ''}\n\n`,
    `usage: ${renderSynopsis(path, definition)}\n`,
    definition?.details ? `\n${definition.details.trim().replace(/ +$/gm, '')}\n` : '',
    list('Flags', own),
    list('Common flags', common),
    examples === '' ? '' : `\nExamples:\n${examples}`,
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

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Renders a flag with the placeholder of its value: `--config <path>`. */
export function labelFlag(
  { names, takesValue }: FlagDefinition,
  values: Readonly<Record<string, FlagValues>>,
): string {
  if (!takesValue) return names.join(', ');
  const known = names.map((name) => values[name]).find((value) => value !== undefined);
  const placeholder = names.map((name) => placeholders[name]).find((name) => name !== undefined);
  const shape = typeof known === 'string' ? shapes[known] : (known?.join('|') ?? '<value>');
  return `${names.join(', ')} ${placeholder ?? shape}`;
}
