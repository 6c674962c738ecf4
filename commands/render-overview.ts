import type { CommandEntry } from './command-index.ts';

/** What commands are for, in the order in which they are usually needed. */
export const areas = {
  start: 'Set up and run an instance',
  fill: 'Fill a store',
  carry: 'Carry it: a medium, or a layout for other tools',
  publish: 'Publish recipes',
  look: 'Look and script',
} as const;
export type Area = keyof typeof areas;

const firstSteps = `First steps:
  svc quickstart            asks a few questions, writes ./svc.yaml, and can go on to serve
  svc sync --dry-run        shows what a synchronization would fetch
  svc sync --wait           fetches it
  svc media verify          checks a carried store before anything of it is used
`;

/** The commands by what they are for, with a word on how to go on. */
export function renderOverview(entries: readonly CommandEntry[]): string {
  return `Moves signed, digest-pinned content between network zones.

usage: svc <command> [flags] [arguments]

${renderCommands(entries)}
${firstSteps}
Every command explains itself, with examples: svc <command> --help
Flags win over SVC_* variables, these over /etc/svc/config.yaml or --config; see svc config dump
Exit codes: 0 ok, 1 failure, 2 usage, 3 policy, 4 verification, 5 changes planned
`;
}

/** The commands of a group: `svc user --help`. */
export function renderGroup(name: string, entries: readonly CommandEntry[]): string {
  return `usage: svc ${name} <command> [flags] [arguments]

${renderList(entries, toWidth(entries))}
Each explains itself, with examples: svc ${name} <command> --help
`;
}

export function renderCommands(entries: readonly CommandEntry[]): string {
  const width = toWidth(entries);
  return Object.entries(areas)
    .map(([area, title]) => [title, entries.filter((entry) => entry.area === area)] as const)
    .filter(([, some]) => some.length > 0)
    .map(([title, some]) => `${title}:\n${renderList(some, width)}`)
    .join('\n');
}

function toWidth(entries: readonly CommandEntry[]): number {
  return Math.max(...entries.map(({ path }) => path.join(' ').length));
}

function renderList(entries: readonly CommandEntry[], width: number): string {
  return entries.map(({ path, summary }) => `  svc ${path.join(' ').padEnd(width)}  ${summary}\n`).join('');
}
