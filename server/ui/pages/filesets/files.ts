import type { Tag } from '../../../../src/contract/content.ts';
import type { FilesetEntry, FilesetFiles } from '../../../../src/contract/fileset.ts';
import type { QueryOf } from '../../../../src/contract/operation.ts';
import {
  filesAtOnce,
  getFilesetFile,
  listFilesetFiles as operation,
} from '../../../../src/contract/operations/filesets.ts';
import type { FilesetIndexes } from '../../../../src/engine/fileset/served-model.ts';
import { formatPlatform } from '../../../../src/oci/platform.ts';
import { isSvcError } from '../../../../src/text/error.ts';
import { filesetFiles } from '../../../../src/text/words/serving/fileset-files.ts';
import { toFilesetConfig } from '../../../../src/view/client-config.ts';
import { showVersion } from '../../../../src/view/content.ts';
import { decodeTreePath, encodeTreePath } from '../../../files/parse-files-path.ts';
import { sendFilesetFile } from '../../../files/send-fileset-file.ts';
import { listFilesetFiles, listServedIndexes, toText } from '../../../views/fileset-files.ts';
import { toReached } from '../../../views/reached.ts';
import { attr, type Html, html } from '../../html.ts';
import { configFile } from '../../parts/config-file.ts';
import { curlCommand } from '../../parts/curl.ts';
import { shortDigest } from '../../parts/digest.ts';
import { filters, isFiltered, nothingMatches } from '../../parts/filters.ts';
import { icon } from '../../parts/icons.ts';
import { pager, pastEnd } from '../../parts/pager.ts';
import { table } from '../../parts/table.ts';
import { terminal } from '../../parts/terminal.ts';
import { untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import { type Page, type PageCall, page, type Section, type UiRoute } from '../../ui-route.ts';
import { folderCrumbs } from '../content/content-words.ts';
import { toFolder } from './browse-form.ts';

/** Milliseconds that the page waits for the first read of a version; it then says so, and asks again. */
const patience = 1500;
/** Characters of an address that the instance takes. */
const longest = 2048;

const listPath = operation.path;
const filePath = getFilesetFile.path;

type Call = PageCall<QueryOf<typeof operation.query>, { readonly repo: string; readonly tag: string }>;

/** The folders above the list, each with a link, the current one last. */
function folderPath({ words: { say }, path }: Call, folder: string, platform: string | undefined): Html {
  const names = folder === '' ? [] : folder.split('/');
  const steps = [
    { text: say(filesetFiles.root), to: '' },
    ...names.map((name, i) => ({ text: toText(name), to: encodeTreePath(names.slice(0, i + 1).join('/')) })),
  ];
  return html`<nav class="crumbs" aria-label="${say(filesetFiles.folders)}"><ol>${steps.map(
    ({ text, to }, i) =>
      i === names.length
        ? html`<li aria-current="location"><strong>${untrusted(text)}</strong></li>`
        : html`<li><a href="${toFolder(path, to, platform)}">${untrusted(text)}</a></li>`,
  )}</ol></nav>`;
}

function nameCell(call: Call, entry: FilesetEntry, platform: string | undefined): Html {
  const {
    words: { say },
    path: { repo, tag },
    query: { q },
  } = call;
  const { name, path, target, folder, digest } = entry;
  const text = q === undefined ? name : toText(decodeTreePath(path) ?? name);
  const word = say((folder ?? digest) === undefined ? filesetFiles.broken : filesetFiles.link);
  const to = target === undefined ? '' : html` <span class="muted">${word} ${untrusted(target)}</span>`;
  if (folder !== undefined)
    return html`<a href="${toFolder(call.path, folder, platform)}">${icon('filesets')} <span class="visually-hidden">${say(filesetFiles.folder)}</span> ${untrusted(text)}</a>${to}`;
  if (digest === undefined) return html`${icon('bad')} ${untrusted(text)}${to}`;
  const address = toPath(filePath, { repo, tag, file: path }, { platform });
  // a backslash and a long path are refused in addresses, before anything looks at them
  if (address.length > longest || path.includes('%5C'))
    return html`${icon('stopped')} ${untrusted(text)}${to} <span class="muted">${say(filesetFiles.noAddress)}</span>`;
  return html`<a href="${address}">${icon('download')} ${untrusted(text)}</a>${to}`;
}

function fileTable(call: Call, found: FilesetFiles, platform: string | undefined): Html {
  const { words, query } = call;
  const { say, format } = words;
  return html`${table<FilesetEntry>({
    caption: say(filesetFiles.title),
    compact: true,
    rows: found.entries,
    empty:
      pastEnd(call, found) ??
      (isFiltered(call, ['q'])
        ? nothingMatches(call, toFolder(call.path, query.folder, platform), ['q'])
        : html`<p>${say(filesetFiles.empty)}</p>`),
    columns: [
      { label: say(filesetFiles.name), isHeader: true, cell: (entry) => nameCell(call, entry, platform) },
      {
        label: say(filesetFiles.size),
        isNumber: true,
        cell: ({ sizeBytes }) => (sizeBytes === undefined ? '' : format.size(sizeBytes)),
      },
      {
        label: say(filesetFiles.digest),
        cell: ({ digest }) =>
          digest === undefined ? '' : shortDigest(words, digest, say(filesetFiles.digest)),
      },
    ],
  })}${pager(call, { ...found, pageSize: query.pageSize ?? filesAtOnce })}`;
}

/** The list, or that the version is being read. */
async function listSection(call: Call, version: Tag, platform: string | undefined): Promise<Section> {
  const {
    path: { repo: repository, tag },
    words: { say },
  } = call;
  try {
    const found = await listFilesetFiles(call, { repository, tag, platform, patience }, call.query);
    const folder = decodeTreePath(found.folder) ?? '';
    return {
      id: 'files',
      html: html`${folderPath(call, folder, platform)}${fileTable(call, found, platform)}`,
    };
  } catch (error) {
    if (!isSvcError(error, 'SVC-SRV-006')) throw error;
    const text = say(filesetFiles.reading, { bytes: version.sizeBytes });
    return { id: 'files', every: 2, status: text, html: html`<div class="empty">${text}</div>` };
  }
}

function platformLinks(
  { words: { say }, path }: Call,
  platforms: readonly string[],
  shown: string,
): Html | string {
  if (platforms.length < 2) return '';
  return html`<div class="segments" role="group" aria-label="${say(filesetFiles.platforms)}">${platforms.map(
    (each) =>
      html`<a href="${toFolder(path, undefined, each)}" ${attr('aria-current', each === shown ? 'true' : undefined)}>${each}</a>`,
  )}</div>`;
}

/** The files of one package manager; none where a name in the FileSet allows none, which the page of the client explains. */
function configOf(call: PageCall, fileset: FilesetIndexes, client: 'apt' | 'dnf') {
  try {
    const { directory, files } = toFilesetConfig(call, fileset, { client, reached: toReached(call) });
    return files.map(({ path, content }) => configFile(call, `${directory}/${path}`, content));
  } catch (error) {
    if (isSvcError(error)) return [];
    throw error;
  }
}

/** How apt and dnf read a version that is served and has package repositories. */
function packageClients(call: PageCall, served: readonly FilesetIndexes[]): readonly Section[] {
  const { say } = call.words;
  const blocks = served.flatMap((fileset) =>
    (['apt', 'dnf'] as const).flatMap((client): readonly Html[] => {
      const files = configOf(call, fileset, client);
      const title = say(filesetFiles.clientsOf, { name: fileset.name, client });
      return files.length === 0 ? [] : [html`<h3>${title}</h3>${files}`];
    }),
  );
  if (blocks.length === 0) return [];
  return [
    {
      id: 'clients',
      html: html`<h2>${say(filesetFiles.clients)}</h2>${served.every(({ anonymous }) => anonymous) ? '' : html`<p class="muted">${say(filesetFiles.secrets)}</p>`}${blocks}`,
    },
  ];
}

/** The page `/content/{repo}/-/tags/{tag}/files`. */
async function showFiles(call: Call): Promise<Page> {
  const {
    words,
    path: { repo, tag },
    query,
  } = call;
  const { say } = words;
  const version = await showVersion(call, { repository: repo, tag });
  const platforms = [...new Set(version.platforms.filter(({ present }) => present).map(formatPlatform))];
  const platform = query.platform ?? (platforms.length > 1 ? platforms[0] : undefined);
  const last = repo.slice(repo.lastIndexOf('/') + 1);
  const name = `${last} ${tag}`;
  const folder = toText(decodeTreePath(query.folder ?? '') ?? '');
  const section = await listSection(call, version, platform);
  return {
    title: folder === '' ? say(filesetFiles.titleOf, { name }) : say(filesetFiles.folderOf, { folder, name }),
    lead: say(filesetFiles.lead),
    crumbs: [
      ...folderCrumbs(words, repo),
      [last, toPath('/content/{repo}', { repo })],
      [tag, toPath('/content/{repo}/-/tags/{tag}', { repo, tag })],
    ],
    ...(section.every === undefined ? {} : { reload: 5 }),
    sections: [
      {
        id: 'filters',
        html: html`${platformLinks(call, platforms, platform ?? '')}${filters(call, {
          path: toPath(listPath, { repo, tag }),
          section: 'files',
          query: operation.query,
          controls: { folder: 'kept', q: filesetFiles.search, platform: 'kept' },
        })}`,
      },
      section,
      ...(section.every === undefined
        ? packageClients(call, await listServedIndexes(call, { repository: repo, tag, platform, patience }))
        : []),
      {
        id: 'terminal',
        html: terminal(words, [
          curlCommand(
            call,
            'GET',
            toPath(listPath, { repo, tag }, { folder: query.folder, q: query.q, platform }),
          ),
          `${curlCommand(call, 'GET', toPath(filePath, { repo, tag, file: 'PATH' }, { platform }))} -OJ`,
        ]),
      },
    ],
  };
}

export const filesetFilePages: readonly UiRoute[] = [
  {
    method: 'GET',
    path: filePath,
    floor: getFilesetFile.floor,
    query: getFilesetFile.query,
    download: (call) =>
      sendFilesetFile(
        call,
        call.path as { repo: string; tag: string; file: string },
        call.query.platform as string | undefined,
      ),
  },
  page({
    method: 'GET',
    path: listPath,
    floor: operation.floor,
    title: filesetFiles.title,
    query: operation.query,
    page: showFiles,
  }),
];
