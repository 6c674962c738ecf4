import type { CommandEntry } from '../command-index.ts';

/**
 * Commands by purpose, in the order in which they are usually needed. Commands that are not listed come last.
 */
const areas: readonly (readonly [title: string, commands: readonly string[]])[] = [
  ['Set up and run an instance', ['quickstart', 'serve', 'user add', 'user list', 'user passwd']],
  ['Add content', ['sync', 'import', 'fileset pack', 'recipe push']],
  ['Transfer between zones', ['media verify', 'media import', 'export']],
  ['Maintain', ['store check', 'config dump', 'version', 'completion']],
];
const rest = 'More';

const firstSteps = `First steps:
  svc quickstart            asks for the settings, writes ./svc.yaml, and can start the instance
  svc sync --dry-run        shows what a synchronization would fetch
  svc sync --wait           fetches it
  svc media verify          verifies a carried store before it is used
`;

/** Renders the commands by purpose, with the first steps. */
export function renderOverview(entries: readonly CommandEntry[]): string {
  return `Moves signed, digest-pinned content between network zones.

usage: svc <command> [flags] [arguments]

${renderCommands(entries)}
${firstSteps}
Help and examples of a command: svc <command> --help
Settings: flags, SVC_* variables, then the file of --config, SVC_CONFIG or /etc/svc
Exit codes: 0 ok, 1 failure, 2 usage, 3 policy, 4 verification, 5 changes planned
`;
}

/** Renders the commands of a group: `svc user --help`. */
export function renderGroup(name: string, entries: readonly CommandEntry[]): string {
  return `usage: svc ${name} <command> [flags] [arguments]

${renderList(entries, toWidth(entries))}
Help and examples of a command: svc ${name} <command> --help
`;
}

function renderCommands(entries: readonly CommandEntry[]): string {
  const width = toWidth(entries);
  return groupByArea(entries)
    .map(([title, some]) => `${title}:\n${renderList(some, width)}`)
    .join('\n');
}

/** Groups the commands by area; areas without a command are omitted. */
export function groupByArea<Entry extends Pick<CommandEntry, 'path'>>(
  entries: readonly Entry[],
): (readonly [title: string, entries: readonly Entry[]])[] {
  const left = new Map(entries.map((entry) => [entry.path.join(' '), entry]));
  const take = (name: string): Entry[] => {
    const entry = left.get(name);
    left.delete(name);
    return entry === undefined ? [] : [entry];
  };
  const groups = areas.map(([title, names]) => [title, names.flatMap(take)] as const);
  return [...groups, [rest, [...left.values()]] as const].filter(([, some]) => some.length > 0);
}

function toWidth(entries: readonly CommandEntry[]): number {
  return Math.max(...entries.map(({ path }) => path.join(' ').length));
}

function renderList(entries: readonly CommandEntry[], width: number): string {
  return entries.map(({ path, summary }) => `  svc ${path.join(' ').padEnd(width)}  ${summary}\n`).join('');
}
