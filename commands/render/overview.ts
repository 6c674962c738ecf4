import { fr, type Language, type Sentence, say } from '../../src/text/language.ts';
import type { CommandEntry } from '../command-index.ts';

/** The texts of `svc --help`. */
const words = {
  purpose: [
    'Moves signed, digest-pinned content between network zones.',
    fr`Déplace du contenu signé et épinglé par empreinte entre zones réseau.`,
  ],
  usage: ['usage:', fr`usage :`],
  command: ['<command>', fr`<commande>`],
  synopsis: ['<command> [flags] [arguments]', fr`<commande> [options] [arguments]`],
  colon: [':', fr` :`],
  firstSteps: ['First steps', fr`Premiers pas`],
  help: ['Help and examples of a command', fr`Aide et exemples d’une commande`],
  settings: [
    'Settings: flags, SVC_* variables, then the file of --config, SVC_CONFIG or /etc/svc',
    fr`Réglages : options, variables SVC_*, puis le fichier de --config, SVC_CONFIG ou /etc/svc`,
  ],
  exitCodes: [
    'Exit codes: 0 ok, 1 failure, 2 usage, 3 policy, 4 verification, 5 changes planned',
    fr`Codes de sortie : 0 succès, 1 échec, 2 usage, 3 politique, 4 vérification, 5 changements prévus`,
  ],
} as const satisfies Readonly<Record<string, Sentence>>;

const firstSteps: readonly (readonly [command: string, does: Sentence])[] = [
  [
    'svc quickstart',
    [
      'asks for the settings, writes ./svc.yaml, can start the instance',
      fr`demande les réglages, écrit ./svc.yaml, peut démarrer l’instance`,
    ],
  ],
  [
    'export SVC_CONFIG=$PWD/svc.yaml',
    ['names that file for the commands that follow', fr`désigne ce fichier aux commandes qui suivent`],
  ],
  [
    'svc sync --dry-run',
    ['shows what a synchronization would transfer', fr`affiche ce qu’une synchronisation transférerait`],
  ],
  ['svc sync --wait', ['transfers it', fr`effectue le transfert`]],
  [
    'svc media verify',
    ['verifies a carried store before it is used', fr`vérifie un stockage transporté avant son utilisation`],
  ],
];

/**
 * Commands by purpose, in the order in which they are usually needed. Commands that are not listed come last.
 */
const areas: readonly (readonly [title: Sentence, commands: readonly string[]])[] = [
  [
    ['Set up and run an instance', fr`Installer et exécuter une instance`],
    ['quickstart', 'serve'],
  ],
  [
    ['Add content', fr`Ajouter du contenu`],
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
    ['See what is there', fr`Voir ce qui est là`],
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
      'media status',
      'history',
      'client config',
      'client test',
    ],
  ],
  [
    ['Transfer between zones', fr`Transférer entre zones`],
    [
      'media verify',
      'media write',
      'media prove',
      'media import',
      'media forget',
      'receipt write',
      'receipt add',
      'receipt list',
      'receipt show',
      'zones',
      'deliveries',
      'evidence pack',
      'evidence verify',
      'custody list',
      'custody note',
      'custody approve',
      'custody verify',
      'export',
    ],
  ],
  [
    ['Accounts and tokens', fr`Comptes et jetons`],
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
    ['Maintain', fr`Entretenir`],
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

const more: Sentence = ['More', fr`Autres`];

/** Renders the commands by purpose, with the first steps. */
export function renderOverview(entries: readonly CommandEntry[], language: Language = 'en'): string {
  const colon = say(words.colon, language);
  const steps = firstSteps.map(([command, does]) => `  ${command.padEnd(31)}  ${say(does, language)}\n`);
  const width = toWidth(entries);
  const listed = groupByArea(entries).map(
    ([title, some]) => `${say(title, language)}${colon}\n${renderList(some, width, language)}`,
  );
  return `${say(words.purpose, language)}

${say(words.usage, language)} svc ${say(words.synopsis, language)}

${listed.join('\n')}
${say(words.firstSteps, language)}${colon}
${steps.join('')}
${say(words.help, language)}${colon} svc ${say(words.command, language)} --help
${say(words.settings, language)}
${say(words.exitCodes, language)}
`;
}

/** Renders the commands of a group: `svc user --help`. */
export function renderGroup(
  name: string,
  entries: readonly CommandEntry[],
  language: Language = 'en',
): string {
  const help = `${say(words.help, language)}${say(words.colon, language)}`;
  return `${say(words.usage, language)} svc ${name} ${say(words.synopsis, language)}

${renderList(entries, toWidth(entries), language)}
${help} svc ${name} ${say(words.command, language)} --help
`;
}

/** Groups the commands by area; areas without a command are omitted. */
export function groupByArea<Entry extends Pick<CommandEntry, 'path'>>(
  entries: readonly Entry[],
): (readonly [title: Sentence, entries: readonly Entry[]])[] {
  const left = new Map(entries.map((entry) => [entry.path.join(' '), entry]));
  const take = (name: string): Entry[] => {
    const entry = left.get(name);
    left.delete(name);
    return entry === undefined ? [] : [entry];
  };
  const groups = areas.map(([title, names]) => [title, names.flatMap(take)] as const);
  return [...groups, [more, [...left.values()]] as const].filter(([, some]) => some.length > 0);
}

function toWidth(entries: readonly CommandEntry[]): number {
  return Math.max(...entries.map(({ path }) => path.join(' ').length));
}

function renderList(entries: readonly CommandEntry[], width: number, language: Language): string {
  return entries
    .map(({ path, summary }) => `  svc ${path.join(' ').padEnd(width)}  ${say(summary, language)}\n`)
    .join('');
}
