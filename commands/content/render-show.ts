import type { Repository, Tag } from '../../src/contract/content.ts';
import { formatPlatform } from '../../src/oci/platform.ts';
import { escapeText } from '../../src/text/escape.ts';
import { fr, type Language, setFrenchSpaces, speak } from '../../src/text/language.ts';
import { formatByteSize } from '../../src/text/size.ts';
import { versionWords } from '../../src/text/words/version.ts';
import { words } from '../../src/text/words/words.ts';
import {
  type LoginCommand,
  type PullTarget,
  selectPullHints,
  toPullCommands,
} from '../../src/view/pull-commands.ts';
import { renderTable } from '../cli/print.ts';
import { renderOmitted } from '../render/count.ts';
import { type Fact, renderFacts } from '../render/facts.ts';
import type { RenderOptions } from '../render/options.ts';
import { renderPage } from '../render/page.ts';
import { wrap } from '../render/wrap.ts';
import { toContentWord } from './render-list.ts';

/** Most annotations and other lines of one kind in the text output; the JSON document has all. */
const mostLines = 20;
/** Longest annotation that is shown whole, in characters. */
const longestValue = 200;

const toWords = (values: readonly Parameters<typeof toContentWord>[0][], language: Language): string =>
  values.map((value) => toContentWord(value, language)).join(', ');

function limit(lines: readonly string[], language: Language): readonly string[] {
  if (lines.length <= mostLines) return lines;
  return [...lines.slice(0, mostLines), renderOmitted(lines.length - mostLines, language)];
}

/** Renders a repository with its versions. */
export function renderRepository(view: Repository, { language, width }: RenderOptions): string {
  const text = speak(language);
  const facts: Fact[] = [
    [text('Repository', fr`Dépôt`), view.name],
    [text('Kind', fr`Type`), toContentWord(view.kind, language)],
    [text('Provenance', fr`Provenance`), toWords(view.provenance, language)],
    ...toRecipes(view.recipes, language),
  ];
  const rows = view.tags.map(
    ({ tag, digest, sizeBytes, platforms = [], presentPlatforms = [], signed, held }) => [
      tag,
      digest.slice(0, 19),
      sizeBytes === undefined ? '' : formatByteSize(sizeBytes, language),
      held ? text('not verified', fr`non vérifiée`) : signed ? text('yes', fr`oui`) : text('no', fr`non`),
      toPlatforms(platforms, presentPlatforms, language),
    ],
  );
  const headings = [
    text('TAG', fr`ÉTIQUETTE`),
    text('DIGEST', fr`EMPREINTE`),
    text('SIZE', fr`TAILLE`),
    text('SIGNED', fr`SIGNÉE`),
    text('PLATFORMS', fr`PLATEFORMES`),
  ];
  const versions =
    rows.length === 0 ? text('no version\n', fr`aucune version\n`) : renderTable(headings, rows, width);
  return `${renderFacts(facts, width)}\n${versions}${renderPage(view, language)}`;
}

function toRecipes(recipes: readonly string[], language: Language): readonly Fact[] {
  if (recipes.length === 0) return [];
  return [[speak(language)('Recipes', fr`Recettes`), limit(recipes, language)]];
}

function toPlatforms(all: readonly string[], present: readonly string[], language: Language): string {
  const here = new Set(present);
  const absent = speak(language)('not carried', fr`non embarquée`);
  const named = all.map((each) => (here.has(each) ? each : `${each} (${absent})`));
  return limit(named, language).join(', ');
}

interface VersionOptions extends RenderOptions {
  readonly login?: readonly LoginCommand[] | undefined;
  /** Whether no client reaches the registry, because the instance is asked below a path. */
  readonly isBelowPath?: boolean | undefined;
}

/**
 * Renders one version, and the commands that pull it.
 *
 * @param target undefined when the address of the registry is not known
 */
export function renderVersion(view: Tag, target: PullTarget | undefined, options: VersionOptions): string {
  const { language, width, login } = options;
  const text = speak(language);
  const { artifactType, signatures, annotations, absentLayers = [] } = view;
  const facts: Fact[] = [
    [text('Version', fr`Version`), `${view.repository}:${view.tag}`],
    [text('Digest', fr`Empreinte`), view.digest],
    [text('Kind', fr`Type`), toContentWord(view.kind, language)],
    [text('Media type', fr`Type de média`), view.mediaType],
    ...(artifactType === undefined ? [] : [[text('Artifact', fr`Artefact`), artifactType] as const]),
    [text('Size', fr`Taille`), formatByteSize(view.sizeBytes, language)],
    [text('Provenance', fr`Provenance`), toWords(view.provenance, language)],
    ...toRecipes(view.recipes, language),
    [
      text('Signatures', fr`Signatures`),
      signatures.length === 0
        ? text('none', fr`aucune`)
        : limit(
            signatures.map(({ layout, digest }) => `${layout} ${digest.slice(0, 19)}`),
            language,
          ),
    ],
    ...(view.platforms.length === 0
      ? []
      : [
          [
            text('Platforms', fr`Plateformes`),
            limit(
              view.platforms.map((each) => {
                const size = formatByteSize(each.sizeBytes, language);
                const absent = each.present ? '' : text(' (not carried)', fr` (non embarquée)`);
                return `${formatPlatform(each)} ${size}${absent}`;
              }),
              language,
            ),
          ] as const,
        ]),
    ...(absentLayers.length === 0
      ? []
      : [
          [
            text('Absent layers', fr`Couches absentes`),
            limit(
              absentLayers.map((digest) => digest.slice(0, 19)),
              language,
            ),
          ] as const,
        ]),
    ...toAnnotations(annotations, language),
  ];
  return `${renderFacts(facts, width)}${renderLogin(login, { language, width })}${renderPull(target, options)}`;
}

function toAnnotations(annotations: Tag['annotations'], language: Language): readonly Fact[] {
  const lines = Object.entries(annotations).map(([name, value]) =>
    value.length > longestValue ? `${name}=${value.slice(0, longestValue)}…` : `${name}=${value}`,
  );
  return lines.length === 0
    ? []
    : [[speak(language)('Annotations', fr`Annotations`), limit(lines, language)]];
}

function renderLogin(login: readonly LoginCommand[] | undefined, { language, width }: RenderOptions): string {
  if (login === undefined) return '';
  const text = speak(language);
  const heading = text(
    'Sign in once, with an API token of the role viewer in the file token (svc token create), or leave out the end of the line from --password-stdin on and give your account:',
    fr`Connectez-vous une fois, avec un jeton d’API de rôle viewer dans le fichier token (svc token create), ou retirez la fin de la ligne à partir de --password-stdin et donnez votre compte :`,
  );
  const commands = [...new Set(login.map(({ command }) => command))];
  const lines = wrap(heading, Math.min(width, 100)).map((line) => `${line}\n`);
  return `\n${lines.join('')}${commands.map((command) => renderCommand(command, width)).join('')}`;
}

function renderPull(
  target: PullTarget | undefined,
  { language, width, isBelowPath = false }: VersionOptions,
): string {
  const text = speak(language);
  if (target === undefined && isBelowPath)
    return `\n${text(
      'The commands that pull it are not shown: the instance was asked below a path, and clients ask a registry at the root of its host.',
      fr`Les commandes de récupération ne sont pas affichées : l’instance a été interrogée sous un chemin, et les clients interrogent un registre à la racine de son hôte.`,
    )}\n`;
  if (target === undefined)
    return `\n${text(
      'The commands that pull it are not shown: server.addr has no fixed port. Set server.publicURL, or ask the instance with --instance.',
      fr`Les commandes de récupération ne sont pas affichées : server.addr n’a pas de port fixe. Renseignez server.publicURL, ou interrogez l’instance avec --instance.`,
    )}\n`;
  const commands = toPullCommands(target);
  const lines = commands.map(({ command }) => renderCommand(command, width));
  const hints = selectPullHints(
    target,
    commands.map(({ client }) => client),
  ).map((hint) => setFrenchSpaces(words[language].say(versionWords[hint])));
  const heading =
    target.by === 'digest'
      ? text('Pull by digest:', fr`Récupérer par empreinte :`)
      : text('Pull by tag:', fr`Récupérer par étiquette :`);
  const notes = hints.flatMap((hint) => wrap(hint, Math.min(width, 100))).map((line) => `${line}\n`);
  return `\n${heading}\n${lines.join('')}${notes.length === 0 ? '' : '\n'}${notes.join('')}`;
}

/** A command that is longer than a line continues on the next one, as the shell reads it. */
function renderCommand(command: string, width: number): string {
  return `  ${wrap(escapeText(command), width - 6).join(' \\\n    ')}\n`;
}
