import type { ContentList, ListedRepository } from '../../../../src/contract/content.ts';
import type { ContentKind } from '../../../../src/oci/kind.ts';
import type { TaskHead } from '../../../../src/task/storage.ts';
import { isSvcError } from '../../../../src/text/error.ts';
import { content } from '../../../../src/text/words/content.ts';
import { overview } from '../../../../src/text/words/overview.ts';
import { parts } from '../../../../src/text/words/parts.ts';
import { recipeWords } from '../../../../src/text/words/recipes.ts';
import { listContent, requireRepository } from '../../../../src/view/content.ts';
import { newestVersion } from '../../../../src/view/newest-version.ts';
import { findDamage } from '../../../../src/view/recipe/damage.ts';
import { countEmpty, selectRepositories } from '../../../../src/view/select-repositories.ts';
import { listBlocked } from '../../../views/blocked.ts';
import { describeOccupancy } from '../../../views/retriever.ts';
import { findImports } from '../../../views/tasks.ts';
import { type Html, html } from '../../html.ts';
import { answer } from '../../parts/badge.ts';
import { curlCommand } from '../../parts/curl.ts';
import { filters, isFiltered } from '../../parts/filters.ts';
import { icon } from '../../parts/icons.ts';
import { withheldLine } from '../../parts/notices.ts';
import { pager, pastEnd } from '../../parts/pager.ts';
import { belowHost, groupByHost, shortName } from '../../parts/short-name.ts';
import { type Column, columnForm, table } from '../../parts/table.ts';
import { terminal } from '../../parts/terminal.ts';
import { dayOf, noValue, shortVersion, untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { Page, PageCall, Section } from '../../ui-route.ts';
import { damagedBadge } from '../damage.ts';
import { firstStep } from '../first-step.ts';
import { addTroubles, noZones } from '../overview/todo.ts';
import { kindBadge, kindWords, provenanceText } from './content-words.ts';
import {
  type ContentListQuery,
  contentPageFilters,
  folderList,
  perPage,
  prefixPath,
  toList,
} from './folders.ts';

const names = ['q', 'kind', 'prefix'] as const;
/** Characters of a name, which the first column of the wide list has room for. */
const longest = 120;

/** Why the list of content is empty, with the one next step. */
function emptyContent(call: PageCall): Html {
  const { say } = call.words;
  if (!isFiltered(call, names)) return html`<p>${say(content.empty)}</p>${firstStep(call)}`;
  const { search } = call;
  const filter = [
    ...search.getAll('q'),
    ...search.getAll('kind').map((kind) => say(kindWords[kind as ContentKind])),
    ...search.getAll('prefix').map((prefix) => `${prefix}/`),
  ].join(', ');
  const kept = {
    rows: search.get('rows') ?? undefined,
    sort: search.get('sort') ?? undefined,
    order: search.get('order') ?? undefined,
  };
  return html`<p>${untrusted(say(parts.noMatch, { filter }))}</p><p><a href="${toPath('/content', {}, kept)}">${say(parts.dropFilter)}</a></p>`;
}

function isGone(call: PageCall, repository: string): boolean {
  try {
    requireRepository(call, repository);
    return false;
  } catch (error) {
    return isSvcError(error, 'SVC-REG-005');
  }
}

/** After a deletion: says that the repository is gone, when it is. */
function removedNote(call: PageCall): readonly Section[] {
  const repository = call.search.get('deleted');
  if (repository === null || !isGone(call, repository)) return [];
  const text = call.words.say(content.deleted, { repository: repository.slice(0, 256) });
  return [
    {
      id: 'deleted',
      html: html`<div class="note" role="status">${icon('ok')}<p>${untrusted(text)}</p></div>`,
    },
  ];
}

function repositoryTable(
  call: PageCall<ContentListQuery>,
  query: ContentListQuery,
  found: ContentList,
  isClosed: boolean,
): Html {
  const { words } = call;
  const { say, format } = words;
  const { repositories } = found;
  const imports = isClosed ? new Map<string, TaskHead>() : findImports(call, call.identity);
  const { prefix } = query;
  const { hitsRepository } = findDamage(call);
  const isByName = (query.sort ?? 'name') === 'name';
  // below a folder, names are shown from there on
  const groupOf =
    prefix === undefined
      ? groupByHost(
          repositories.map(({ name }) => name),
          isByName,
        )
      : () => '';
  const nameOf = (name: string): string =>
    prefix === undefined
      ? belowHost(groupOf, name)
      : name.length > prefix.length + 1
        ? name.slice(prefix.length + 1)
        : name;
  const link = ({ name, kind }: ListedRepository): Html =>
    kind === undefined && isClosed
      ? shortName(nameOf(name), longest)
      : html`<span><a href="${toPath('/content/{repo}', { repo: name })}">${shortName(nameOf(name), longest)}</a>${hitsRepository(name) ? html` ${damagedBadge(words)}` : ''}</span>`;
  return table<ListedRepository>({
    caption: say(content.title),
    isBrief: true,
    empty: pastEnd(call, found) ?? emptyContent(call),
    rows: repositories,
    groupOf: ({ name }) => groupOf(name),
    foldsGroups: true,
    groupNote: (host, count) =>
      found.totalPages > 1
        ? ''
        : html` <a class="group-note" href="${toList(query, { prefix: host })}">${say(content.repositories, { count })}</a>`,
    ...(isClosed ? {} : { list: { call, name: 'content', sort: 'name' } }),
    columns: [
      { label: say(content.repository), isHeader: true, sort: 'name', cell: link },
      ...(isClosed
        ? []
        : ([
            {
              id: 'kind',
              isState: true,
              label: say(content.kind),
              cell: ({ kind }: ListedRepository) =>
                kind === undefined ? say(content.held) : kindBadge(words, kind),
            },
            {
              id: 'versions',
              isMinor: true,
              label: say(content.versions),
              sort: 'versions',
              isNumber: true,
              cell: ({ tags }: ListedRepository) => (tags === undefined ? '' : format.number(tags)),
            },
            {
              id: 'newest',
              label: say(content.newest),
              cell: ({ name, tags = 0 }: ListedRepository) => {
                const tag = newestVersion(call, name, tags);
                if (tag === undefined) return '';
                return html`<a href="${toPath('/content/{repo}/-/tags/{tag}', { repo: name, tag })}">${shortVersion(tag)}</a>`;
              },
            },
            {
              id: 'size',
              label: say(content.size),
              sort: 'size',
              isNumber: true,
              cell: ({ sizeBytes }: ListedRepository) =>
                sizeBytes === undefined ? '' : format.size(sizeBytes),
            },
            {
              id: 'landed',
              isTime: true,
              // a medium has the day of its source
              label: say(call.gate.guarded ? recipeWords.recorded : content.landed),
              sort: 'landed',
              cell: ({ name, landedAt = imports.get(name)?.finishedAt }: ListedRepository) =>
                landedAt === undefined ? noValue : dayOf(words, landedAt),
            },
            {
              id: 'provenance',
              isMinor: true,
              isWhole: true,
              label: say(content.provenance),
              cell: ({ provenance = [] }: ListedRepository) => provenanceText(words, provenance),
            },
          ] satisfies readonly Column<ListedRepository>[])),
    ],
  });
}

/** Whether the hosts stand as groups in the list, each whole: folders above it would repeat them. */
const showsGroups = ({ prefix, sort = 'name' }: ContentListQuery, { totalPages }: ContentList): boolean =>
  prefix === undefined && sort === 'name' && totalPages === 1;

/** Whether the content is served, and how much there is in all, or how much of it the filter selects. */
async function answerOf(
  call: PageCall<ContentListQuery>,
  { total, matching }: { readonly total: number; readonly matching: number },
): Promise<Html> {
  const { say } = call.words;
  if (call.gate.refusal() !== undefined)
    return answer({ kind: 'bad', mark: say(content.stampClosed), what: say(content.closed) });
  const blocked = listBlocked(call).length;
  const { files: damaged } = findDamage(call);
  // content that is withheld counts for the disk
  const bytes = blocked > 0 ? undefined : describeOccupancy(call).bytes;
  const empty = matching === total ? await countEmpty(call) : 0;
  const served =
    matching === total
      ? say(content.served, { count: total - empty, bytes, empty: empty || undefined })
      : say(content.matching, { count: matching, total });
  const withheld = blocked > 0 ? say(content.withheld, { count: blocked, served }) : served;
  return blocked + damaged === 0
    ? answer({ kind: 'ok', mark: say(content.stampServed), what: served })
    : answer({
        kind: 'warn',
        mark: say(content.stampPartly),
        what: addTroubles(call.words, withheld, {
          ...{ receipts: [], damaged, stalled: undefined },
          zones: noZones,
        }),
        step:
          damaged > 0 && call.can('admin')
            ? html`<a class="button button-plain" href="/admin/store">${say(overview.openStore)}</a>`
            : '',
      });
}

/** The page `/content`. */
export async function showContent(call: PageCall<ContentListQuery>): Promise<Page> {
  const { say } = call.words;
  const prefix = call.query.prefix?.replace(/^\/+|\/+$/g, '') || undefined;
  const query = { ...call.query, pageSize: call.query.pageSize ?? perPage, prefix };
  const isClosed = call.gate.refusal() !== undefined;
  const found = await listContent(call, query);
  const isEmptyStore = found.total === 0 && !isFiltered(call, names);
  const isWhole = prefix === undefined && !isFiltered(call, names);
  const total = isWhole ? found.total : (await selectRepositories(call, {})).length;
  const folders = html`${isWhole && !isClosed ? '' : prefixPath(call, query, found.total)}${showsGroups(query, found) ? '' : await folderList(call, query)}`;
  const verdict = await answerOf(call, { total, matching: found.total });
  const form = filters(call, {
    path: '/content',
    section: 'list',
    query: contentPageFilters,
    controls: {
      q: content.search,
      kind: { label: content.kinds, words: kindWords },
      prefix: 'kept',
      sort: 'kept',
      order: 'kept',
    },
  });
  const view = isClosed ? '' : columnForm(call, 'content');
  const list = html`<div class="list-verdict">${verdict}</div><div class="table-tools">${form}${view}</div>
<div class="folders">${folders}</div>
${isClosed ? html`<p class="muted">${await withheldLine(call, content.namesOnly)}</p>` : ''}
${repositoryTable(call, query, found, isClosed)}${pager(call, { ...found, pageSize: query.pageSize })}`;
  return {
    title: prefix === undefined ? say(content.title) : `${say(content.title)}: ${prefix}`,
    heading: html`${say(content.title)}`,
    lead: say(content.lead),
    sections: [
      ...removedNote(call),
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
            toPath(
              '/content',
              {},
              { q: query.q, kind: query.kind, prefix, sort: query.sort, order: query.order },
            ),
          ),
          curlCommand(call, 'GET', toPath('/content', {}, { view: 'folders', prefix })),
        ]),
      },
    ],
  };
}
