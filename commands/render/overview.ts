import type { Language } from '../../src/text/language.ts';
import type { CommandEntry } from '../command-index.ts';

type Area = 'setUp' | 'access' | 'content' | 'look' | 'transfer' | 'maintain' | 'more';

/** Texts of `svc --help`; the French ones are in `commands/help-fr/overview.ts`. */
export interface OverviewWords {
  readonly purpose: string;
  readonly usage: string;
  /** Synopsis after the name of the program or group. */
  readonly synopsis: string;
  readonly areas: Readonly<Record<Area, string>>;
  readonly colon: string;
  /** The title, then the description of each line. */
  readonly firstSteps: readonly [
    title: string,
    quickstart: string,
    config: string,
    plan: string,
    sync: string,
    verify: string,
  ];
  readonly help: string;
  readonly settings: string;
  readonly exitCodes: string;
  /** Summaries by the path of the command; absent: those of the command index. */
  readonly summaries: Readonly<Record<string, string>>;
}

export const overviewEn: OverviewWords = {
  purpose: 'Moves signed, digest-pinned content between network zones.',
  usage: 'usage:',
  synopsis: '<command> [flags] [arguments]',
  areas: {
    setUp: 'Set up and run an instance',
    access: 'Accounts and tokens',
    content: 'Add content',
    look: 'See what is there',
    transfer: 'Transfer between zones',
    maintain: 'Maintain',
    more: 'More',
  },
  colon: ':',
  firstSteps: [
    'First steps',
    'asks for the settings, writes ./svc.yaml, can start the instance',
    'names that file for the commands that follow',
    'shows what a synchronization would transfer',
    'transfers it',
    'verifies a carried store before it is used',
  ],
  help: 'Help and examples of a command',
  settings: 'Settings: flags, SVC_* variables, then the file of --config, SVC_CONFIG or /etc/svc',
  exitCodes: 'Exit codes: 0 ok, 1 failure, 2 usage, 3 policy, 4 verification, 5 changes planned',
  summaries: {},
};

/** Loads the texts of the overview in a language; undefined: the English ones, which are the default. */
export async function getOverviewWords(language: Language): Promise<OverviewWords | undefined> {
  return language === 'en' ? undefined : (await import('../help-fr/overview.ts')).overviewFr;
}

/**
 * Commands by purpose, in the order in which they are usually needed. Commands that are not listed come last.
 */
const areas: readonly (readonly [area: Area, commands: readonly string[]])[] = [
  ['setUp', ['quickstart', 'serve']],
  [
    'content',
    [
      'sync',
      'import',
      'fileset pack',
      'recipe init',
      'recipe pin',
      'recipe lint',
      'recipe diff',
      'recipe push',
      'recipe sign',
      'retriever init',
      'retriever lint',
    ],
  ],
  [
    'look',
    [
      'status',
      'content list',
      'content show',
      'task list',
      'task show',
      'task log',
      'task wait',
      'recipe show',
      'recipe mapping',
      'retriever resolve',
      'media show',
      'client config',
      'client test',
    ],
  ],
  ['transfer', ['media verify', 'media import', 'export']],
  [
    'access',
    [
      'user add',
      'user list',
      'user passwd',
      'user role',
      'user remove',
      'token create',
      'token list',
      'token revoke',
    ],
  ],
  [
    'maintain',
    [
      'store check',
      'key new',
      'key show',
      'trust show',
      'trust fingerprint',
      'config dump',
      'config schema',
      'explain',
      'version',
      'completion',
    ],
  ],
];

const firstCommands = [
  'svc quickstart',
  'export SVC_CONFIG=$PWD/svc.yaml',
  'svc sync --dry-run',
  'svc sync --wait',
  'svc media verify',
];

/** Renders the commands by purpose, with the first steps. */
export function renderOverview(entries: readonly CommandEntry[], words: OverviewWords = overviewEn): string {
  const { purpose, usage, synopsis, colon, firstSteps, help, settings, exitCodes } = words;
  const [title, ...steps] = firstSteps;
  const lines = steps.map((step, index) => `  ${firstCommands[index]!.padEnd(31)}  ${step}\n`).join('');
  const command = synopsis.split(' ')[0];
  return `${purpose}

${usage} svc ${synopsis}

${renderCommands(entries, words)}
${title}${colon}
${lines}
${help}${colon} svc ${command} --help
${settings}
${exitCodes}
`;
}

/** Renders the commands of a group: `svc user --help`. */
export function renderGroup(
  name: string,
  entries: readonly CommandEntry[],
  words: OverviewWords = overviewEn,
): string {
  const { usage, synopsis, colon, help } = words;
  return `${usage} svc ${name} ${synopsis}

${renderList(entries, toWidth(entries), words)}
${help}${colon} svc ${name} ${synopsis.split(' ')[0]} --help
`;
}

function renderCommands(entries: readonly CommandEntry[], words: OverviewWords): string {
  const width = toWidth(entries);
  return groupByArea(entries, words)
    .map(([title, some]) => `${title}${words.colon}\n${renderList(some, width, words)}`)
    .join('\n');
}

/** Groups the commands by area; areas without a command are omitted. */
export function groupByArea<Entry extends Pick<CommandEntry, 'path'>>(
  entries: readonly Entry[],
  words: OverviewWords = overviewEn,
): (readonly [title: string, entries: readonly Entry[]])[] {
  const left = new Map(entries.map((entry) => [entry.path.join(' '), entry]));
  const take = (name: string): Entry[] => {
    const entry = left.get(name);
    left.delete(name);
    return entry === undefined ? [] : [entry];
  };
  const groups = areas.map(([area, names]) => [words.areas[area], names.flatMap(take)] as const);
  return [...groups, [words.areas.more, [...left.values()]] as const].filter(([, some]) => some.length > 0);
}

function toWidth(entries: readonly CommandEntry[]): number {
  return Math.max(...entries.map(({ path }) => path.join(' ').length));
}

function renderList(entries: readonly CommandEntry[], width: number, { summaries }: OverviewWords): string {
  return entries
    .map(({ path, summary }) => {
      const name = path.join(' ');
      return `  svc ${name.padEnd(width)}  ${summaries[name] ?? summary}\n`;
    })
    .join('');
}
