import type { Provenance } from '../../src/contract/common.ts';
import type { ContentList, FolderList } from '../../src/contract/content.ts';
import type { ContentKind } from '../../src/oci/kind.ts';
import { fr, type Language, type Sentence, say, speak } from '../../src/text/language.ts';
import { formatByteSize } from '../../src/text/size.ts';
import { content } from '../../src/text/words/content.ts';
import { words } from '../../src/text/words/words.ts';
import { renderTable } from '../cli/print.ts';
import type { RenderOptions } from '../render/options.ts';
import { renderPage } from '../render/page.ts';

/** The word for a kind or a provenance, as the pages show it; a value of a newer instance is shown as it is. */
export function toContentWord(value: ContentKind | Provenance | undefined, language: Language): string {
  if (value === undefined) return '';
  return Object.hasOwn(content, value) ? words[language].say(content[value]) : value;
}

/** Renders a list of repositories. */
export function renderContent(
  list: ContentList,
  { language, width, isOfStore = false }: RenderOptions & { readonly isOfStore?: boolean },
): string {
  const { repositories, total } = list;
  const text = speak(language);
  if (total === 0) return text('no repository\n', fr`aucun dépôt\n`);
  const rows = repositories.map(({ name, kind, tags, sizeBytes, provenance = [] }) => [
    name,
    toContentWord(kind, language),
    tags === undefined ? '' : String(tags),
    sizeBytes === undefined ? '' : formatByteSize(sizeBytes, language),
    provenance.map((each) => toContentWord(each, language)).join(', '),
  ]);
  const headings = [
    text('REPOSITORY', fr`DÉPÔT`),
    text('KIND', fr`TYPE`),
    text('TAGS', fr`ÉTIQUETTES`),
    text('SIZE', fr`TAILLE`),
    text('PROVENANCE', fr`PROVENANCE`),
  ];
  const note = isNamesOnly(list) ? `${say(isOfStore ? namesOfStore : namesOfInstance, language)}\n` : '';
  return `${renderTable(headings, rows, width)}${note}${renderPage(list, language)}`;
}

const namesOfStore: Sentence = [
  'Only names are shown: this command does not verify a carried medium.',
  fr`Seuls les noms sont affichés : cette commande ne vérifie pas un support transporté.`,
];

const namesOfInstance: Sentence = [
  'Only names are shown: svc status says why the instance serves no content.',
  fr`Seuls les noms sont affichés : svc status indique pourquoi l’instance ne sert aucun contenu.`,
];

/** Whether only the names of the repositories are known, as of a medium that is not verified. */
export function isNamesOnly({ repositories }: ContentList): boolean {
  return repositories.length > 0 && repositories.every(({ kind }) => kind === undefined);
}

/** Renders a list of folders. */
export function renderFolders(list: FolderList, { language, width }: RenderOptions): string {
  const { folders, total } = list;
  const text = speak(language);
  if (total === 0) return text('no folder\n', fr`aucun dossier\n`);
  const rows = folders.map(({ prefix, repositories }) => [`${prefix}/`, String(repositories)]);
  const headings = [text('FOLDER', fr`DOSSIER`), text('REPOSITORIES', fr`DÉPÔTS`)];
  return `${renderTable(headings, rows, width)}${renderPage(list, language)}`;
}
