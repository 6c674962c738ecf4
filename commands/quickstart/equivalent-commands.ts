import { fr, type Language, speak } from '../../src/text/language.ts';
import type { Answers } from './dialogue/question.ts';
import { toPlan } from './purpose.ts';
import { listFlags } from './select-open.ts';

/** Answers so far; paths as given. */
export interface QuickstartAnswers {
  readonly config: string;
  readonly mode: string | undefined;
  readonly storageRoot: string;
  readonly stateRoot: string;
  readonly admin: string;
  /** The purpose of the setup; absent: only an instance. */
  readonly purpose?: string | undefined;
  /** Answers that flags gave. */
  readonly given?: Answers;
}

/** Quotes a word for a POSIX shell. */
function quoteWord(word: string): string {
  return /^[A-Za-z0-9_./:@=,+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Renders the commands that do the same without a terminal. */
export function renderEquivalentCommands(answers: QuickstartAnswers, language: Language): string {
  const text = speak(language);
  const { config, mode, admin } = answers;
  if (toPlan(answers.purpose) !== undefined) return renderPurpose(answers, language);
  const [file, storage, state] = [config, answers.storageRoot, answers.stateRoot].map(quoteWord);
  const way = mode === undefined ? 'mirror' : quoteWord(mode);
  const roots = `--storage-root ${storage} --state-root ${state}`;
  const who = admin === 'admin' ? '' : ` --admin ${quoteWord(admin)}`;
  const [byFlags, byHand, modes, zone] = [
    text(
      'Without a terminal, use flags; the password is the first line of a file:',
      fr`Sans terminal, utilisez les options ; le mot de passe est la première ligne d’un fichier :`,
    ),
    text('or run the steps by hand:', fr`ou lancez les étapes une à une :`),
    text(
      'The mode is mirror (synchronized on request) or passthrough (on an interval).',
      fr`Le mode est mirror (synchronisation à la demande) ou passthrough (à intervalle régulier).`,
    ),
    text(
      'In a zone that imports disks, no instance is needed:',
      fr`Dans une zone qui importe des disques, aucune instance n’est nécessaire :`,
    ),
  ];
  return `${byFlags}

  svc quickstart --config ${file} --mode ${way} ${roots}${who} --password-stdin < password-file

${byHand}

  svc user add ${quoteWord(admin)} --password-stdin --state-root ${state} < password-file
  svc serve --mode ${way} ${roots}${mode === undefined ? `\n\n${modes}` : ''}

${zone}

  ${toPurposeCommand({ ...answers, purpose: 'medium', given: { for: 'medium' } })}`;
}

/** Values of settings that no flag gave, for a user to replace. */
const examples: Readonly<Record<string, string>> = {
  'retriever.source': 'retriever.yaml',
  zone: 'zone-b',
  cookbook: 'registry.example/cookbook',
  recipe: 'shop',
  'storage.root': '/mnt',
  'destination.registry': 'registry.zone-b.example',
  'trust.key': 'release.pub',
};

/** The command that sets up a purpose, with examples for missing answers. */
function toPurposeCommand({ config, purpose, admin, given = {} }: QuickstartAnswers): string {
  const flags = listFlags(given).flatMap(([key, flag]) => {
    // the Retriever is written from the flags that follow
    if (given[key] === '') return [];
    return [`${flag} ${quoteWord(given[key] ?? examples[key]!)}`];
  });
  const who = admin === 'admin' ? [] : [`--admin ${quoteWord(admin)}`];
  const last = toPlan(purpose)!.hasInstance ? [...who, '--password-stdin < password-file'] : [];
  return [`svc quickstart --config ${quoteWord(config)} --for ${purpose}`, ...flags, ...last].join(' ');
}

function renderPurpose(answers: QuickstartAnswers, language: Language): string {
  const text = speak(language);
  const intro = toPlan(answers.purpose)!.hasInstance
    ? text(
        'Without a terminal, use flags; the password is the first line of a file:',
        fr`Sans terminal, utilisez les options ; le mot de passe est la première ligne d’un fichier :`,
      )
    : text('Without a terminal, use flags:', fr`Sans terminal, utilisez les options :`);
  return `${intro}

  ${toPurposeCommand(answers)}`;
}
