import { content } from '../../../../src/base/words/content.ts';
import { parts } from '../../../../src/base/words/parts.ts';
import { type ContentKind, contentKinds } from '../../../../src/oci/kind.ts';
import { type ContentList, type ListedRepository, listContent } from '../../../views/content.ts';
import { listFolders } from '../../../views/folders.ts';
import { attr, type Html, html } from '../../html.ts';
import { curlCommand } from '../../parts/curl.ts';
import { filters, isFiltered } from '../../parts/filters.ts';
import { icon } from '../../parts/icons.ts';
import { pager } from '../../parts/pager.ts';
import { shortName } from '../../parts/short-name.ts';
import { table } from '../../parts/table.ts';
import { terminal } from '../../parts/terminal.ts';
import { untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { Page, PageCall } from '../../ui-route.ts';
import { kindBadge, kindWords, provenanceText } from './content-words.ts';
import { emptyContent, removedNote } from './list-states.ts';

const perPage = 50;
/** Folders shown at most: with more, a filter finds them sooner than the eye. */
const mostFolders = 60;

interface Query {
  readonly q?: string;
  readonly kind?: readonly ContentKind[];
  readonly prefix?: string;
  readonly sort?: 'name' | 'size';
  readonly rows?: 'comfortable' | 'compact';
  readonly page?: number;
}

/** The same list with something changed. The page begins anew. */
const toList = (query: Query, change: Query): string => {
  const { page: _, ...kept } = { ...query, ...change };
  return toPath('/content', {}, kept);
};

/** The folders above the list, each with a link, the current one last. */
function prefixPath({ words: { say } }: PageCall, query: Query, total: number): Html {
  const { prefix = '' } = query;
  const segments = prefix === '' ? [] : prefix.split('/');
  const steps = [
    { text: say(content.allContent), to: '' },
    ...segments.map((text, i) => ({ text, to: segments.slice(0, i + 1).join('/') })),
  ];
  return html`<nav class="folder-path" aria-label="${say(content.folders)}"><ol>${steps.map(
    ({ text, to }, i) =>
      i === steps.length - 1
        ? html`<li aria-current="location"><strong>${untrusted(text)}</strong> <span class="muted">${say(content.repositories, { count: total })}</span></li>`
        : html`<li><a href="${toList(query, { prefix: to })}">${untrusted(text)}</a></li>`,
  )}</ol></nav>`;
}

async function folderList(call: PageCall, query: Query): Promise<Html | string> {
  const { say, format } = call.words;
  const { folders, total } = await listFolders(call, { ...query, page: 1, pageSize: mostFolders });
  if (folders.length === 0) return '';
  const start = query.prefix === undefined ? 0 : query.prefix.length + 1;
  const more =
    total > folders.length
      ? html`<p class="muted">${say(content.foldersShown, { count: total, shown: folders.length })}</p>`
      : '';
  return html`<ul class="tags" aria-label="${say(content.folders)}">${folders.map(
    ({ prefix, repositories }) =>
      html`<li><a href="${toList(query, { prefix })}">${icon('filesets')} ${untrusted(prefix.slice(start))} <span class="muted">${format.number(repositories)}</span></a></li>`,
  )}</ul>${more}`;
}

/** Choices that are links, so that they work without scripts. */
function viewLinks({ words: { say } }: PageCall, query: Query): Html {
  const { sort = 'name', rows = 'comfortable' } = query;
  const link = (change: Query, text: string, isOn: boolean): Html =>
    html`<a href="${toList(query, change)}" ${attr('aria-current', isOn ? 'true' : undefined)}>${text}</a>`;
  return html`<div class="view-links"><div class="segments" role="group" aria-label="${say(content.sort)}">${link({ sort: 'name' }, say(content.byName), sort === 'name')}${link({ sort: 'size' }, say(content.bySize), sort === 'size')}</div>
<div class="segments" role="group" aria-label="${say(content.rows)}">${link({ rows: 'comfortable' }, say(content.comfortable), rows === 'comfortable')}${link({ rows: 'compact' }, say(content.compact), rows === 'compact')}</div></div>`;
}

function repositoryTable(
  call: PageCall,
  query: Query,
  { repositories }: ContentList,
  isClosed: boolean,
): Html {
  const { words } = call;
  const { say, format } = words;
  const { prefix } = query;
  // below a folder, names are shown from there on
  const start = prefix === undefined ? 0 : prefix.length + 1;
  const nameOf = (name: string): string => (name.length > start ? name.slice(start) : name);
  const link = ({ name, kind }: ListedRepository): Html =>
    kind === undefined && isClosed
      ? shortName(nameOf(name))
      : html`<a href="${toPath('/content/{repo}', { repo: name })}">${shortName(nameOf(name))}</a>`;
  return table<ListedRepository>({
    caption: say(content.title),
    compact: query.rows === 'compact',
    empty: emptyContent(call),
    rows: repositories,
    columns: [
      { label: say(content.repository), isHeader: true, cell: link },
      ...(isClosed
        ? []
        : [
            {
              label: say(content.kind),
              cell: ({ kind }: ListedRepository) =>
                kind === undefined ? say(content.held) : kindBadge(words, kind),
            },
            {
              label: say(content.versions),
              isNumber: true,
              cell: ({ tags }: ListedRepository) => (tags === undefined ? '' : format.number(tags)),
            },
            {
              label: say(content.size),
              isNumber: true,
              cell: ({ sizeBytes }: ListedRepository) =>
                sizeBytes === undefined ? '' : format.size(sizeBytes),
            },
            {
              label: say(content.provenance),
              cell: ({ provenance = [] }: ListedRepository) => provenanceText(words, provenance),
            },
          ]),
    ],
  });
}

/** The page `/content`. */
export async function showContent(call: PageCall): Promise<Page> {
  const { say } = call.words;
  const asked = call.query as Query;
  const prefix = asked.prefix?.replace(/^\/+|\/+$/g, '');
  const query: Query = { ...asked, prefix: prefix === '' ? undefined : prefix } as Query;
  const isClosed = call.gate.refusal() !== undefined;
  const found = await listContent(call, { ...query, pageSize: perPage });
  const isEmptyStore = found.total === 0 && !isFiltered(call, ['q', 'kind', 'prefix']);
  const list = html`${prefixPath(call, query, found.total)}
${await folderList(call, query)}
${isClosed ? html`<p class="muted">${say(content.namesOnly)}</p>` : viewLinks(call, query)}
${repositoryTable(call, query, found, isClosed)}${pager(call, { ...found, pageSize: perPage })}`;
  return {
    title: prefix === undefined || prefix === '' ? say(content.title) : `${say(content.title)}: ${prefix}`,
    heading: html`${say(content.title)}`,
    lead: say(content.lead),
    sections: [
      ...removedNote(call),
      ...(isEmptyStore
        ? []
        : [
            {
              id: 'filters',
              html: filters(call, {
                path: '/content',
                search: say(content.search),
                section: 'list',
                keep: ['prefix', 'sort', 'rows'],
                checks: {
                  name: 'kind',
                  legend: say(content.kinds),
                  options: contentKinds.map((kind) => [kind, say(kindWords[kind])] as const),
                },
              }),
            },
          ]),
      {
        id: 'list',
        label: say(parts.results),
        html: isEmptyStore ? html`<div class="empty">${emptyContent(call)}</div>` : list,
      },
      {
        id: 'terminal',
        html: terminal(call.words, [
          curlCommand(
            call,
            'GET',
            toPath('/content', {}, { q: query.q, kind: query.kind, prefix, sort: query.sort }),
          ),
          curlCommand(call, 'GET', toPath('/content', {}, { view: 'folders', prefix })),
        ]),
      },
    ],
  };
}
