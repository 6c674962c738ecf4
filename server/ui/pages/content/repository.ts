import type { Provenance } from '../../../../src/contract/common.ts';
import type { ListedVersion, Repository } from '../../../../src/contract/content.ts';
import type { QueryOf } from '../../../../src/contract/operation.ts';
import { getRepository } from '../../../../src/contract/operations/content.ts';
import { paging } from '../../../../src/contract/operations/paging.ts';
import { content } from '../../../../src/text/words/content.ts';
import { parts } from '../../../../src/text/words/parts.ts';
import { recipeWords } from '../../../../src/text/words/recipes.ts';
import { showRepository } from '../../../../src/view/content.ts';
import { findHistory } from '../../../../src/view/history.ts';
import { findDamage } from '../../../../src/view/recipe/damage.ts';
import { type Html, html } from '../../html.ts';
import { badge } from '../../parts/badge.ts';
import { copyable } from '../../parts/copy.ts';
import { curlCommand } from '../../parts/curl.ts';
import { shortDigest } from '../../parts/digest.ts';
import { filters, isFiltered, nothingMatches } from '../../parts/filters.ts';
import { hasHistory, historyLink } from '../../parts/history-link.ts';
import { icon } from '../../parts/icons.ts';
import { pager, pastEnd } from '../../parts/pager.ts';
import { columnForm, facts, table } from '../../parts/table.ts';
import { terminal } from '../../parts/terminal.ts';
import { dayOf, showActor, untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { Page, PageCall } from '../../ui-route.ts';
import { damagedBadge } from '../damage.ts';
import { folderCrumbs, kindBadge, mostPlatforms, provenanceText, recipeLinks } from './content-words.ts';

const perPage = 50;
/** The order of a page without one: the last version that arrived comes first. */
const newestFirst = 'arrival';

/** Parameters of the page: those of the operation, with fewer entries by default. */
export const versionFilters = { ...getRepository.query, ...paging(perPage) };
const imported: ReadonlySet<Provenance> = new Set(['import', 'vulnerability-database', 'local-pack']);

function platformList(
  { words: { say } }: PageCall,
  { platforms = [], presentPlatforms = [] }: ListedVersion,
): Html {
  const present = new Set(presentPlatforms);
  const more = platforms.length - mostPlatforms;
  return html`<ul class="chips">${platforms
    .slice(0, mostPlatforms)
    .map((platform) =>
      present.has(platform)
        ? html`<li class="chip">${untrusted(platform)}</li>`
        : html`<li class="chip chip-absent">${untrusted(platform)} <span class="visually-hidden">${say(content.absentPlatform)}</span></li>`,
    )}${more > 0 ? html`<li class="muted">${say(content.morePlatforms, { count: more })}</li>` : ''}</ul>`;
}

function ownerCell({ words }: PageCall, { provenance, recipes = [] }: ListedVersion): Html {
  const others = provenance.filter((each) => each !== 'recipe' || recipes.length === 0);
  return html`<div>${recipes.length === 0 ? '' : recipeLinks(recipes)}${others.length === 0 ? '' : provenanceText(words, others)}</div>`;
}

function versionTable(
  call: PageCall<QueryOf<typeof versionFilters>>,
  found: Repository,
  path: string,
  deleted: Html | string,
): Html {
  const { name, tags } = found;
  const { words } = call;
  const { say, format } = words;
  const { hitsVersion } = findDamage(call);
  return table<ListedVersion>({
    caption: say(content.versions),
    empty:
      pastEnd(call, found) ??
      (isFiltered(call, ['q'])
        ? nothingMatches(call, path, ['q'])
        : html`<p>${say(content.noVersions)}</p>${deleted}`),
    rows: tags,
    list: { call, name: 'versions', sort: newestFirst },
    columns: [
      {
        label: say(content.version),
        isHeader: true,
        sort: 'name',
        cell: ({ tag, digest, held, signed }) => {
          if (held) return html`<span>${untrusted(tag)} ${badge('warn', say(content.held))}</span>`;
          const state = hitsVersion(digest)
            ? damagedBadge(words)
            : signed
              ? badge('ok', say(content.signed))
              : '';
          return html`<span><a href="${toPath('/content/{repo}/-/tags/{tag}', { repo: name, tag })}">${untrusted(tag)}</a> ${state}</span>`;
        },
      },
      {
        id: 'digest',
        label: say(content.digest),
        cell: ({ digest }) => shortDigest(words, digest, say(content.digest)),
      },
      { id: 'platforms', label: say(content.platforms), cell: (each) => platformList(call, each) },
      {
        id: 'size',
        label: say(content.size),
        isNumber: true,
        cell: ({ sizeBytes }) => (sizeBytes === undefined ? '' : format.size(sizeBytes)),
      },
      {
        id: 'landed',
        isTime: true,
        // a medium has the day of its source
        label: say(call.gate.guarded ? recipeWords.recorded : content.landed),
        sort: 'arrival',
        cell: ({ landedAt }) => (landedAt === undefined ? '' : dayOf(words, landedAt)),
      },
      { id: 'provenance', label: say(content.owners), cell: (each) => ownerCell(call, each) },
    ],
  });
}

/** Records that are looked at for the last deletion. */
const mostLooked = 20;

/** The last deletion of content of a repository, with its actor, for readers of the history. */
async function deletedLine(call: PageCall, name: string): Promise<Html | string> {
  if (!hasHistory(call)) return '';
  const { say, format } = call.words;
  const { found } = await findHistory(call.instance.context.config, {
    action: 'content.delete',
    outcome: ['success'],
    subject: name,
    pageSize: mostLooked,
  });
  // the filter also finds names that begin alike
  const last = found.find(
    ({ record: { target = '' } }) => target.startsWith(name) && /^(?:$|[:@])/.test(target.slice(name.length)),
  );
  if (last?.id === undefined) return '';
  const { record, id } = last;
  return html`<p>${showActor(call.words, record.actor)} <a href="${toPath('/history/{record}', { record: id })}">${say(content.deletedOn, { time: format.time(record.ts) })}</a></p>`;
}

/** The page `/content/{repo}`. */
export async function showContentRepository(
  call: PageCall<QueryOf<typeof versionFilters>, { readonly repo: string }>,
): Promise<Page> {
  const { words, can } = call;
  const { say } = words;
  const { q, sort, order, pageSize = perPage } = call.query;
  const found = await showRepository(call, {
    repository: call.path.repo,
    ...call.query,
    sort: sort ?? newestFirst,
    pageSize,
  });
  const { name, kind, provenance, recipes } = found;
  const path = toPath('/content/{repo}', { repo: name });
  const mayDelete = can('admin') && provenance.some((each) => imported.has(each));
  return {
    title: name,
    heading: html`${untrusted(name.slice(name.lastIndexOf('/') + 1))} ${kindBadge(words, kind)}`,
    crumbs: folderCrumbs(words, name),
    sections: [
      {
        id: 'facts',
        html: html`${facts([
          [say(content.repository), copyable(words, name, say(content.repository))],
          [say(content.provenance), provenanceText(words, provenance)],
          ...(recipes.length === 0 ? [] : [[say(content.recipes), recipeLinks(recipes)] as const]),
        ])}${historyLink(call, name)}`,
      },
      {
        id: 'filters',
        html: html`<div class="table-tools">${filters(call, {
          path,
          section: 'list',
          query: versionFilters,
          controls: { q: content.searchVersions, sort: 'kept', order: 'kept' },
        })}${columnForm(call, 'versions')}</div>`,
      },
      {
        id: 'list',
        label: say(parts.results),
        html: html`${versionTable(call, found, path, found.total === 0 ? await deletedLine(call, name) : '')}${pager(call, { ...found, pageSize })}`,
      },
      {
        id: 'more',
        html: html`${mayDelete ? html`<p><a class="button button-danger" href="${toPath('/content/{repo}/-/delete', { repo: name })}">${icon('trash')} ${say(content.delete)}</a></p>` : ''}
${terminal(words, [curlCommand(call, 'GET', toPath('/content/{repo}', { repo: name }, { q, sort: sort ?? newestFirst, order }))])}`,
      },
    ],
  };
}
