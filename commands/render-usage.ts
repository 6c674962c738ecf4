import type { Definition } from 'clipanion';
import type { FlagValues } from './base-command.ts';
import { placeholders } from './common-flags.ts';

/** One flag as a command defines it. */
export interface FlagDefinition {
  readonly names: readonly string[];
  readonly takesValue: boolean;
  readonly description: string;
}

/** The flags of a command; `-h, --help`, which every command has, is not among them. */
export function toFlags(definition: Definition | undefined): FlagDefinition[] {
  return (definition?.options ?? []).map(({ definition: text, description }) => ({
    names: text.split(' ')[0]!.split(','),
    takesValue: text.includes('#0'),
    description: description ?? '',
  }));
}

/** `svc user add [flags] <name>`. */
export function renderSynopsis(path: readonly string[], definition: Definition | undefined): string {
  const positionals = [...(definition?.usage ?? '').matchAll(/(?:<[^>]+>|\[<?[a-z][^\]]*\])(?:\s*\.\.\.)?/gi)]
    .map(([text]) => text)
    .filter((text) => !text.includes('--'));
  return ['svc', ...path, '[flags]', ...positionals].join(' ');
}

/** The help page of a command. */
export function renderUsage(
  path: readonly string[],
  definition: Definition | undefined,
  values: Readonly<Record<string, FlagValues>>,
  commonFlags: ReadonlySet<string>,
): string {
  const flags = toFlags(definition);
  const own = flags.filter(({ names }) => !names.some((name) => commonFlags.has(name)));
  const common = flags.filter(({ names }) => names.some((name) => commonFlags.has(name)));
  const width = Math.max(...flags.map((flag) => labelFlag(flag, values).length));
  const list = (title: string, some: readonly FlagDefinition[]): string =>
    some.length === 0
      ? ''
      : `\n${title}:\n${some.map((flag) => `  ${labelFlag(flag, values).padEnd(width)}  ${flag.description}\n`).join('')}`;
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

/** A flag with the shape of its value: `--config <path>`. */
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
