import { systemClock } from '../../src/base/clock.ts';
import type { Notice } from '../../src/contract/status.ts';
import type { TaskHead } from '../../src/task/storage.ts';
import { fr, type Language, type Sentence, say, setFrenchSpaces, speak } from '../../src/text/language.ts';
import { formatByteSize } from '../../src/text/size.ts';
import { words } from '../../src/text/words/words.ts';
import { toLinkParts, toWaitSentence } from '../../src/view/link-words.ts';
import { sayStanding } from '../../src/view/medium-standing.ts';
import type { LastRun, WantedState, ZoneStatus } from '../../src/view/zone-status.ts';
import { toVerdictSentence, type Verdict } from '../../src/view/zone-verdict.ts';
import { renderTable } from '../cli/print.ts';
import { renderOmitted } from './count.ts';
import { type Fact, renderFacts } from './facts.ts';
import type { RenderOptions } from './options.ts';
import { toStatusWord, toTypeWord } from './task-words.ts';
import { toTime } from './time.ts';

/** Most recipes in the text output, those that are missing first; the JSON document has all. */
const mostRecipes = 20;

const states: Readonly<Record<WantedState['state'], Sentence>> = {
  present: ['present', fr`présente`],
  damaged: ['here, damaged', fr`ici, endommagée`],
  missing: ['missing', fr`manquante`],
  blocked: ['blocked', fr`bloquée`],
  gone: ['no longer here', fr`n’est plus là`],
  unimported: ['not imported yet', fr`pas encore importée`],
};
const ranks: Readonly<Record<WantedState['state'], number>> = {
  blocked: 0,
  missing: 1,
  gone: 2,
  damaged: 3,
  unimported: 4,
  present: 5,
};

const notices: Readonly<Record<Notice, Sentence>> = {
  draining: ['the instance is shutting down', fr`l’instance s’arrête`],
  'store-away': [
    'the store is away: connect its disk and mount it in the same place; if this stays, restart the instance',
    fr`le stockage est absent : branchez son disque et montez-le au même endroit ; si cela persiste, redémarrez l’instance`,
  ],
  'state-away': [
    'the state is away: connect its disk and mount it in the same place; if this stays, restart the instance',
    fr`l’état est absent : branchez son disque et montez-le au même endroit ; si cela persiste, redémarrez l’instance`,
  ],
  'store-new': ['the store replaced another one', fr`le stockage en remplace un autre`],
  'authentication-disabled': ['authentication is disabled', fr`l’authentification est désactivée`],
  'occupancy-exceeded': ['the store exceeds its threshold', fr`le stockage dépasse son seuil`],
  'anonymous-filesets': ['FileSets are readable by everybody', fr`des FileSets sont lisibles par tous`],
  'relaxed-scopes': ['trust scopes are relaxed', fr`des périmètres de confiance sont assouplis`],
  'gate-closed': ['the medium is not verified', fr`le support n’est pas vérifié`],
  'recipes-blocked': ['recipes of the medium are blocked', fr`des recettes du support sont bloquées`],
  'recipes-lowered': [
    'a source offers a lower version than is here',
    fr`une source propose une version inférieure à la version présente`,
  ],
  'filesets-unserved': [
    'FileSets that are configured cannot be served',
    fr`des FileSets configurés ne peuvent pas être servis`,
  ],
  'store-foreign': ['the store is served unverified', fr`le stockage est servi sans vérification`],
  'store-read-only': ['the store is read-only', fr`le stockage est en lecture seule`],
  'link-damaged': [
    'the cap or the windows that were set cannot be read',
    fr`le plafond ou les fenêtres définis sont illisibles`,
  ],
  'store-full': ['the volume of the store is nearly full', fr`le volume du stockage est presque plein`],
  'state-full': ['the volume of the state is nearly full', fr`le volume de l’état est presque plein`],
  'certificate-early': ['the certificate is not valid yet', fr`le certificat n’est pas encore valable`],
  'certificate-expired': ['the certificate has expired', fr`le certificat a expiré`],
  'preflight-disabled': ['the pre-flight check is disabled', fr`le contrôle préalable est désactivé`],
};

/** The notice of a carried medium that is read without an instance. */
const unverified: Sentence = [
  'this command does not verify the medium: its content is not shown',
  fr`cette commande ne vérifie pas le support : son contenu n’est pas affiché`,
];

const replaced: Sentence = [
  'the medium was replaced or changed: the instance verifies it when it no longer changes',
  fr`le support a été remplacé ou modifié : l’instance le vérifie dès qu’il ne change plus`,
];

type Notable = Pick<ZoneStatus, 'store' | 'gate' | 'delivery' | 'unservedFilesets'>;

const lowerFirst = (text: string): string => `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;

/** A notice of a newer instance is shown by its name. */
function toNotice(
  notice: Notice,
  { store, gate, delivery, unservedFilesets = [] }: Notable,
  language: Language,
): string {
  if (notice === 'gate-closed' && store !== undefined) return say(unverified, language);
  if (notice === 'gate-closed' && gate.code === 'SVC-MED-033') return say(replaced, language);
  if (notice === 'gate-closed' && gate.awaits !== undefined)
    return lowerFirst(sayStanding(words[language], { awaits: gate.awaits, delivery }));
  if (notice === 'gate-closed' && gate.code === 'SVC-MED-032') {
    // no report is left where a file changed after it
    const codes = gate.reasons?.length ? gate.reasons.join(', ') : gate.code;
    const refused: Sentence = [
      `the last verification blocked the medium: ${codes}`,
      fr`la dernière vérification a bloqué le support : ${codes}`,
    ];
    return say(refused, language);
  }
  const sentence = Object.hasOwn(notices, notice) ? say(notices[notice], language) : notice;
  if (notice !== 'filesets-unserved' || unservedFilesets.length === 0) return sentence;
  const names = unservedFilesets.slice(0, mostRecipes).map(({ name, code }) => `${name} ${code}`);
  return speak(language)(`${sentence}: ${names.join(', ')}`, fr`${sentence} : ${names.join(', ')}`);
}

/**
 * Renders a status on one screen.
 *
 * @param newer the medium that was imported since, where the one that is here was imported before
 */
export function renderStatus(
  status: ZoneStatus,
  verdict: Verdict,
  { language, width }: RenderOptions,
  newer?: string,
): string {
  const facts = renderFacts([...toIdentity(status, language), ...toWork(status, language)], width);
  const isCarried = status.store !== undefined && status.gate.serving === 'closed';
  const carried = isCarried ? toCarried(status, newer) : undefined;
  const sentence =
    carried === undefined
      ? setFrenchSpaces(toVerdictSentence(words[language], verdict))
      : say(carried, language);
  return `${sentence}\n\n${facts}${renderWanted(status, { language, width })}`;
}

/**
 * The facts on a carried medium that no instance serves: its last import by this state, if there is one. This command
 * verifies nothing, so that the content is not shown either way.
 */
function toCarried(
  { lastRun, lastImport, verdict, delivery }: ZoneStatus,
  newer?: string,
): Sentence | undefined {
  const importedOn = (language: Language): string =>
    lastImport === undefined ? '' : ` ${toTime(lastImport.importedAt, language)}`;
  // the sentence on the delivery says it
  if (delivery?.imported) return undefined;
  if (verdict === 'complete' && newer !== undefined)
    return [
      `A carried medium, imported on${importedOn('en')}; the newer medium ${newer} was imported since`,
      fr`Support transporté, importé le${importedOn('fr')} ; le support ${newer}, plus récent, a été importé depuis`,
    ];
  if (verdict === 'complete' || verdict === 'nothing')
    return ['A carried medium, imported', fr`Support transporté, importé`];
  if (verdict !== 'closed' && verdict !== 'run-failed') return undefined;
  if (lastRun?.type !== 'media-import')
    return [
      'A carried medium, without a recorded import: svc media verify verifies it',
      fr`Support transporté, sans import enregistré : svc media verify le vérifie`,
    ];
  return lastRun.status === 'done'
    ? [
        'A carried medium, not imported as it is written now: svc media verify verifies it',
        fr`Support transporté, pas importé tel qu’il est écrit : svc media verify le vérifie`,
      ]
    : ['A carried medium; its last import failed', fr`Support transporté ; son dernier import a échoué`];
}

function toIdentity(status: ZoneStatus, language: Language): readonly Fact[] {
  const { instance, store, mode, zone, version } = status;
  const text = speak(language);
  const foreign = text('(of another instance)', fr`(d’une autre instance)`);
  return [
    ...(instance === undefined
      ? []
      : [[text('Instance', fr`Instance`), `${instance} svc ${version}`] as const]),
    ...(store === undefined
      ? []
      : ([
          [text('Store', fr`Stockage`), store.root],
          [
            text('Medium', fr`Support`),
            store.standing === 'ours' ? store.mediaId : `${store.mediaId} ${foreign}`,
          ],
        ] as const)),
    ...(mode === undefined ? [] : [[text('Mode', fr`Mode`), mode] as const]),
    ...(zone === undefined ? [] : [[text('Zone', fr`Zone`), zone] as const]),
  ];
}

function toWork(status: ZoneStatus, language: Language): readonly Fact[] {
  const { running, pending, lastRun, nextSync, store, link } = status;
  const limits = link === undefined ? [] : toLinkParts(words[language], link);
  const text = speak(language);
  const waiting =
    store === undefined
      ? text(`${pending} waiting`, fr`${pending} en attente`)
      : // nobody runs them now, as far as the files tell
        text(`${pending} unfinished`, fr`${pending} inachevées`);
  const now = [
    ...(running === undefined ? [] : [toRunning(running, language)]),
    ...(pending === 0 ? [] : [waiting]),
  ];
  return [
    [
      text('Tasks', fr`Tâches`),
      now.length === 0 ? text('none running', fr`aucune en cours`) : now.join(', '),
    ],
    [
      text('Last run', fr`Dernière exécution`),
      lastRun === undefined ? text('none', fr`aucune`) : toLast(lastRun, language),
    ],
    ...(nextSync === undefined
      ? []
      : [[text('Next run', fr`Prochaine exécution`), toMoment(nextSync, language)] as const]),
    ...(limits.length === 0 ? [] : [[text('Transfers', fr`Transferts`), limits.join('; ')] as const]),
    [text('Space', fr`Espace`), toSpace(status, language)],
    ...(status.notices.length === 0
      ? []
      : [
          [
            text('Notices', fr`Avis`),
            status.notices.map((each) => toNotice(each, status, language)),
          ] as const,
        ]),
  ];
}

const toMoment = (time: string, language: Language): string =>
  Number.isNaN(Date.parse(time))
    ? time
    : `${toTime(time, language)} (${words[language].format.age(time, systemClock.wall())})`;

function toRunning({ id, type, progress, waiting }: TaskHead, language: Language): string {
  const { bytesDone, bytesTotal } = progress;
  const share = bytesTotal > 0 ? ` ${words[language].format.percent(bytesDone / bytesTotal)}` : '';
  const wait = waiting === undefined ? '' : ` ${toWaitSentence(words[language], waiting)}`;
  return `${toTypeWord(type, language)} ${id}${share}${wait}`;
}

function toLast({ id, type, status, finishedAt, code, counts }: LastRun, language: Language): string {
  const outcome = `${toTypeWord(type, language)} ${toStatusWord(status, language, counts)}`;
  const parts = [outcome, ...(finishedAt === undefined ? [] : [toMoment(finishedAt, language)]), id];
  return [...parts, ...(code === undefined ? [] : [code])].join(', ');
}

function toSpace({ occupancy, volume }: ZoneStatus, language: Language): string {
  const text = speak(language);
  const size = (bytes: number): string => formatByteSize(bytes, language);
  const { bytes, thresholdBytes } = occupancy;
  const limit = thresholdBytes === undefined ? undefined : size(thresholdBytes);
  const store =
    limit === undefined
      ? text(`store ${size(bytes)}`, fr`stockage ${size(bytes)}`)
      : text(`store ${size(bytes)} of ${limit}`, fr`stockage ${size(bytes)} sur ${limit}`);
  if (volume === undefined) return store;
  const [free, total] = [size(volume.freeBytes), size(volume.totalBytes)];
  return text(`${store}, ${free} free of ${total}`, fr`${store}, ${free} libres sur ${total}`);
}

function renderWanted({ wanted }: ZoneStatus, { language, width }: RenderOptions): string {
  if (wanted.length === 0) return '';
  const text = speak(language);
  const ordered = wanted.toSorted((a, b) => ranks[a.state] - ranks[b.state]);
  const rows = ordered
    .slice(0, mostRecipes)
    .map(({ name, version, requested, lowerThan, state, code = '' }) => [
      name,
      requested === undefined ? version : `${requested} → ${version}`,
      lowerThan === undefined
        ? say(states[state], language)
        : `${say(states[state], language)}, ${text(`lower than ${lowerThan}, which is here`, fr`inférieure à ${lowerThan}, présente`)}`,
      code,
    ]);
  const headings = [
    text('RECIPE', fr`RECETTE`),
    text('VERSION', fr`VERSION`),
    text('STATE', fr`ÉTAT`),
    text('ERROR', fr`ERREUR`),
  ];
  const omitted = wanted.length - mostRecipes;
  const more = omitted > 0 ? `${renderOmitted(omitted, language)}\n` : '';
  return `\n${renderTable(headings, rows, width)}${more}`;
}
