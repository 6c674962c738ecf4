import { type PageOf, selectPage } from '../../../../src/base/page.ts';
import type { QueryOf } from '../../../../src/contract/operation.ts';
import { paging } from '../../../../src/contract/operations/paging.ts';
import { listRecipes as operation } from '../../../../src/contract/operations/recipes.ts';
import type { ListedRecipe } from '../../../../src/operation/list-recipes.ts';
import { authoring } from '../../../../src/text/words/authoring.ts';
import { content } from '../../../../src/text/words/content.ts';
import { imports } from '../../../../src/text/words/imports.ts';
import { media } from '../../../../src/text/words/media.ts';
import { parts } from '../../../../src/text/words/parts.ts';
import { publish } from '../../../../src/text/words/publish.ts';
import { recipeWords } from '../../../../src/text/words/recipes.ts';
import { sync } from '../../../../src/text/words/sync.ts';
import { listRecipes } from '../../../../src/view/recipes.ts';
import { takesMedia } from '../../../views/media.ts';
import { describeRetriever } from '../../../views/retriever.ts';
import { compareRecipes, landedAt } from '../../../views/show-recipe.ts';
import { type Html, html } from '../../html.ts';
import { curlCommand } from '../../parts/curl.ts';
import { filters, isFiltered, nothingMatches } from '../../parts/filters.ts';
import { pager, pastEnd } from '../../parts/pager.ts';
import { table } from '../../parts/table.ts';
import { terminal } from '../../parts/terminal.ts';
import { moment, untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { Page, PageCall } from '../../ui-route.ts';
import { trustBadge } from './trust-badge.ts';

/** A recipe with its versions, the newest first; none while only names may be shown. */
interface Row {
  readonly name: string;
  readonly versions: readonly ListedRecipe[];
}

/** Groups records by name, in the order of names. */
export function groupRecipes(found: readonly (ListedRecipe | Pick<ListedRecipe, 'name'>)[]): readonly Row[] {
  const groups = new Map<string, ListedRecipe[]>();
  for (const each of found) {
    const group = groups.get(each.name) ?? [];
    if ('version' in each) group.push(each);
    groups.set(each.name, group);
  }
  return [...groups]
    .map(([name, versions]) => ({ name, versions: versions.sort(compareRecipes) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

const toRecipe = (name: string, version?: string): string =>
  toPath('/recipes/-/{name}', { name }, { version });

function versionCell({ versions: [newest] }: Row): Html | string {
  return newest === undefined
    ? ''
    : html`<a href="${toRecipe(newest.name, newest.version)}">${untrusted(newest.version)}</a>`;
}

function recipeTable(
  call: PageCall,
  { selected, pageOf }: { readonly selected: readonly Row[]; readonly pageOf: PageOf },
  isClosed: boolean,
): Html {
  const { words: spoken } = call;
  const { say, format } = spoken;
  return table<Row>({
    caption: say(recipeWords.title),
    empty:
      pastEnd(call, pageOf) ??
      (isFiltered(call, ['q'])
        ? nothingMatches(call, '/recipes', ['q'])
        : html`<p>${say(recipeWords.empty)}</p><p>${say(recipeWords.emptyNext)} <a href="/tasks">${say(content.tasksLink)}</a></p>`),
    rows: selected,
    columns: [
      {
        label: say(recipeWords.recipe),
        isHeader: true,
        cell: ({ name }) =>
          isClosed ? untrusted(name) : html`<a href="${toRecipe(name)}">${untrusted(name)}</a>`,
      },
      ...(isClosed
        ? []
        : [
            { label: say(recipeWords.newest), cell: versionCell },
            {
              label: say(recipeWords.signature),
              cell: ({ versions: [newest] }: Row) => (newest === undefined ? '' : trustBadge(spoken, newest)),
            },
            {
              label: say(recipeWords.ingredients),
              isNumber: true,
              cell: ({ versions: [newest] }: Row) =>
                newest === undefined ? '' : format.number(newest.ingredients.length),
            },
            {
              label: say(recipeWords.versionsHere),
              isNumber: true,
              cell: ({ versions }: Row) => format.number(versions.length),
            },
            {
              label: say(recipeWords.landed),
              cell: ({ versions: [newest] }: Row) => {
                const at = newest && landedAt(newest);
                return at === undefined
                  ? html`<span class="muted">${say(recipeWords.publishedHere)}</span>`
                  : moment(spoken, at);
              },
            },
          ]),
    ],
  });
}

/** The actions on recipes: a viewer checks documents, an operator does the rest. */
function actionLinks(call: PageCall): Html {
  const { say } = call.words;
  const check = html`<a class="button button-plain" href="/recipes/check">${say(authoring.checkTitle)}</a>`;
  if (!call.can('operator')) return html`<p class="buttons">${check}</p>`;
  const next =
    describeRetriever(call).source !== undefined
      ? html`<a class="button button-primary" href="/recipes/sync">${say(sync.title)}</a>`
      : takesMedia(call)
        ? html`<a class="button button-primary" href="/media">${say(media.title)}</a>`
        : '';
  return html`<p class="buttons">${next}<a class="button button-plain" href="/recipes/publish">${say(publish.title)}</a><a class="button button-plain" href="/import">${say(imports.title)}</a>${check}<a class="button button-plain" href="/recipes/compare">${say(authoring.compareTitle)}</a></p>`;
}

const perPage = 50;
export const recipeFilters = { ...operation.query, ...paging(perPage) };

/** The page `/recipes`. */
export async function showRecipes(call: PageCall<QueryOf<typeof recipeFilters>>): Promise<Page> {
  const { say } = call.words;
  const { q, page, pageSize = perPage } = call.query;
  const isClosed = call.gate.refusal() !== undefined;
  const isEmpty = (await listRecipes(call)).length === 0;
  const found = groupRecipes(await listRecipes(call, { q }));
  const list = selectPage(found, { page, pageSize });
  return {
    title: say(recipeWords.title),
    lead: say(recipeWords.lead),
    sections: [
      { id: 'actions', html: actionLinks(call) },
      ...(isEmpty
        ? []
        : [
            {
              id: 'filters',
              html: filters(call, {
                path: '/recipes',
                section: 'list',
                query: recipeFilters,
                controls: { q: recipeWords.search },
              }),
            },
          ]),
      {
        id: 'list',
        label: say(parts.results),
        html: html`${isClosed && !isEmpty ? html`<p class="muted">${say(recipeWords.namesOnly)}</p>` : ''}
${recipeTable(call, list, isClosed)}${pager(call, { ...list.pageOf, pageSize })}`,
      },
      {
        id: 'terminal',
        html: terminal(call.words, [curlCommand(call, 'GET', toPath('/recipes', {}, { q }))]),
      },
    ],
  };
}
