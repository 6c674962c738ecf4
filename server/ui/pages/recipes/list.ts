import { type PageOf, selectPage } from '../../../../src/base/page.ts';
import { hasWords } from '../../../../src/base/words.ts';
import { field, type QueryOf } from '../../../../src/contract/operation.ts';
import { paging } from '../../../../src/contract/operations/paging.ts';
import { listRecipes as operation, recipeOrders } from '../../../../src/contract/operations/recipes.ts';
import { type SortValues, sorting, sortRows } from '../../../../src/contract/operations/sorting.ts';
import { oneOf } from '../../../../src/contract/schema.ts';
import type { ListedRecipe } from '../../../../src/operation/list-recipes.ts';
import { authoring } from '../../../../src/text/words/authoring.ts';
import { content } from '../../../../src/text/words/content.ts';
import { imports } from '../../../../src/text/words/imports.ts';
import { overview } from '../../../../src/text/words/overview.ts';
import { parts } from '../../../../src/text/words/parts.ts';
import { publish } from '../../../../src/text/words/publish.ts';
import { recipeWords } from '../../../../src/text/words/recipes.ts';
import { sync } from '../../../../src/text/words/sync.ts';
import { listRecipes, recipeValues } from '../../../../src/view/recipes.ts';
import { type Run, type WantedRecipe, wantedState } from '../../../../src/view/runs.ts';
import { findDamage } from '../../../views/damage.ts';
import { takesMedia } from '../../../views/media.ts';
import { describeRetriever } from '../../../views/retriever.ts';
import { listRuns } from '../../../views/runs.ts';
import { compareRecipes, landedAt } from '../../../views/show-recipe.ts';
import { type Html, html } from '../../html.ts';
import { answer } from '../../parts/badge.ts';
import { curlCommand } from '../../parts/curl.ts';
import { filters, isFiltered, namesOf, nothingMatches } from '../../parts/filters.ts';
import { withheldLine } from '../../parts/notices.ts';
import { pager, pastEnd } from '../../parts/pager.ts';
import { type Column, columnForm, table } from '../../parts/table.ts';
import { terminal } from '../../parts/terminal.ts';
import { dayOf, noValue, shortVersion, untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { Page, PageCall } from '../../ui-route.ts';
import { damagedBadge } from '../damage.ts';
import { missingPlace, sayAwaited } from '../overview/missing-place.ts';
import { byName, listAllWanted, wantedBadge, wantedWords } from '../overview/wanted.ts';
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

/** States of a wanted recipe, the one that needs an action first, and of the others. */
const states = ['blocked', 'missing', 'gone', 'present', 'unwanted'] as const;

/** The values by which rows are ordered: those of their newest version. */
function rowValues(
  call: PageCall,
  wanted: ReadonlyMap<string, WantedRecipe>,
): SortValues<Row, (typeof orders)[number]> {
  const values = recipeValues(call.instance.context.policy.roots);
  const ofNewest =
    (key: keyof typeof values) =>
    ({ versions: [newest] }: Row) =>
      newest && values[key](newest);
  return {
    name: ({ name }) => name,
    landed: ofNewest('landed'),
    ingredients: ofNewest('ingredients'),
    signature: ofNewest('signature'),
    wanted: ({ name }) => {
      const wish = wanted.get(name);
      return wish && states.indexOf(wantedState(wish));
    },
  };
}

const toRecipe = (name: string, version?: string): string =>
  toPath('/recipes/-/{name}', { name }, { version });

function versionCell({ versions: [newest] }: Row): Html | string {
  return newest === undefined
    ? ''
    : html`<a href="${toRecipe(newest.name, newest.version)}">${shortVersion(newest.version)}</a>`;
}

/**
 * The wanted version, as far as it is not the newest one here, its standing, and the reason of a missing one. The version leads
 * to what brings it, unless the name of the row does.
 */
function wantedCell(call: PageCall, { versions }: Row, wish: WantedRecipe, run: Run | undefined): Html {
  const { say } = call.words;
  const { version, standing, error } = wish;
  const badge = wantedBadge(call.words, wish);
  const shown = version === versions[0]?.version ? '' : untrusted(version);
  if (standing === 'here' && versions.some((each) => each.version === version))
    return html`<span>${shown} ${badge}</span>`;
  const place = missingPlace(call, wish, run);
  const isWay = versions.length > 0 && !place.startsWith('/recipes');
  const awaited =
    standing === 'here'
      ? say(call.gate.guarded ? recipeWords.notOnDisk : recipeWords.notInStore)
      : sayAwaited(call.words, wish);
  const reason =
    error !== undefined
      ? html`<a href="/help#${error.code}">${error.code}</a>`
      : awaited === undefined
        ? ''
        : untrusted(awaited);
  return html`<span>${isWay ? html`<a href="${place}">${untrusted(version)}</a>` : shown} ${badge}</span>${reason === '' ? '' : html`<p class="item-remedy">${reason}</p>`}`;
}

function recipeTable(
  call: PageCall<QueryOf<typeof recipeFilters>>,
  { selected, pageOf }: { readonly selected: readonly Row[]; readonly pageOf: PageOf },
  {
    wanted,
    run,
    isClosed,
  }: {
    readonly wanted: ReadonlyMap<string, WantedRecipe>;
    /** The run that wanted recipes last. */
    readonly run: Run | undefined;
    readonly isClosed: boolean;
  },
): Html {
  const { words: spoken } = call;
  const { say, format } = spoken;
  const { hitsRecipe } = findDamage(call);
  return table<Row>({
    caption: say(recipeWords.title),
    empty:
      pastEnd(call, pageOf) ??
      (isFiltered(call, names)
        ? nothingMatches(call, '/recipes', names, controls)
        : html`<p>${say(recipeWords.empty)}</p><p>${say(recipeWords.emptyNext)} <a href="/tasks">${say(content.tasksLink)}</a></p>`),
    rows: selected,
    ...(isClosed ? {} : { list: { call, name: 'recipes', sort: 'name' } }),
    columns: [
      {
        label: say(recipeWords.recipe),
        isHeader: true,
        sort: 'name',
        cell: ({ name, versions }) => {
          const wish = versions.length === 0 ? wanted.get(name) : undefined;
          const place = wish === undefined ? toRecipe(name) : missingPlace(call, wish, run);
          return isClosed ? untrusted(name) : html`<a href="${place}">${untrusted(name)}</a>`;
        },
      },
      ...(isClosed
        ? []
        : ([
            { id: 'newest', label: say(recipeWords.newest), cell: versionCell },
            ...(wanted.size === 0
              ? []
              : [
                  {
                    id: 'wanted',
                    label: say(recipeWords.wanted),
                    sort: 'wanted',
                    cell: (row: Row) => {
                      const wish = wanted.get(row.name);
                      return wish === undefined ? noValue : wantedCell(call, row, wish, run);
                    },
                  } as const,
                ]),
            {
              id: 'signature',
              isState: true,
              label: say(recipeWords.signature),
              sort: 'signature',
              cell: ({ versions: [newest] }: Row) =>
                newest === undefined
                  ? ''
                  : hitsRecipe(newest)
                    ? damagedBadge(spoken)
                    : trustBadge(call, newest),
            },
            {
              id: 'ingredients',
              isBelow: true,
              label: say(recipeWords.ingredients),
              sort: 'ingredients',
              isNumber: true,
              cell: ({ versions: [newest] }: Row) =>
                newest === undefined ? '' : format.number(newest.ingredients.length),
            },
            {
              id: 'versions',
              isBelow: true,
              label: say(recipeWords.versionsHere),
              isNumber: true,
              cell: ({ versions }: Row) => (versions.length === 0 ? noValue : format.number(versions.length)),
            },
            {
              id: 'landed',
              label: say(recipeWords.landed),
              sort: 'landed',
              cell: ({ versions: [newest] }: Row) => {
                if (newest === undefined) return noValue;
                const at = landedAt(newest);
                return at === undefined
                  ? html`<span class="muted">${say(recipeWords.publishedHere)}</span>`
                  : dayOf(spoken, at);
              },
            },
          ] satisfies readonly Column<Row>[])),
    ],
  });
}

/** The way to further recipes, for an operator. */
function nextLink(call: PageCall): Html | string {
  const { say } = call.words;
  if (!call.can('operator')) return '';
  if (describeRetriever(call).source !== undefined)
    return html`<a class="button button-primary" href="/recipes/sync">${say(sync.title)}</a>`;
  if (!takesMedia(call)) return '';
  return html`<a class="button button-primary" href="/media">${say(overview.openMedium)}</a>`;
}

/** The other actions on recipes: a viewer checks documents, an operator does the rest. */
function actionLinks(call: PageCall, kind: 'plain' | 'quiet'): readonly Html[] {
  const { say } = call.words;
  const all = [
    ['/recipes/publish', publish.title],
    ['/import', imports.title],
    ['/recipes/check', authoring.checkTitle],
    ['/recipes/compare', authoring.compareTitle],
  ] as const;
  return all
    .filter(([path]) => path === '/recipes/check' || call.can('operator'))
    .map(([path, title]) => html`<a class="button button-${kind}" href="${path}">${say(title)}</a>`);
}

/** The same beside the filters: a small screen folds them. */
function foldedActions(call: PageCall): Html {
  const all = actionLinks(call, 'quiet');
  const links = html`<div class="view-links">${all}</div>`;
  return all.length === 1
    ? links
    : html`<details class="filters-fold"><summary>${call.words.say(recipeWords.actions)}</summary>${links}</details>`;
}

/** Whether the wanted recipes are here; without a run that wanted any, how many are. */
function answerOf(call: PageCall, wanted: readonly WantedRecipe[], rows: readonly Row[]): Html {
  const { say } = call.words;
  const link = nextLink(call);
  const step = link === '' ? '' : html`<p class="answer-step">${link}</p>`;
  const unverified = rows.filter(({ versions: [newest] }) => newest?.verified === false).length;
  const lines = [unverified === 0 ? '' : say(recipeWords.someUnverified, { count: unverified })];
  const known = rows.length;
  const count = wanted.length;
  if (count === 0)
    return answer({
      kind: 'plain',
      mark: say(recipeWords.stampHere),
      what: say(recipeWords.allHere, { count: known }),
      lines,
      step,
    });
  const countOf = (...of: readonly ReturnType<typeof wantedState>[]): number =>
    wanted.filter((each) => of.includes(wantedState(each))).length;
  const here = countOf('present');
  if (here === count)
    return answer({
      kind: 'ok',
      mark: say(recipeWords.stampComplete),
      what: say(recipeWords.allWanted, { count }),
      lines,
      step,
    });
  return answer({
    kind: 'bad',
    mark: say(recipeWords.stampIncomplete),
    what: say(recipeWords.someWanted, {
      count,
      here: here || undefined,
      blocked: countOf('blocked') || undefined,
      missing: countOf('missing', 'gone') || undefined,
    }),
    lines,
    step,
  });
}

/** Rows of the wanted recipes of which no version is in the store, with each word of the text in their name. */
function neverLanded(
  wanted: ReadonlyMap<string, WantedRecipe>,
  known: readonly Pick<ListedRecipe, 'name'>[],
  q = '',
): readonly Row[] {
  const names = new Set(known.map(({ name }) => name));
  const has = hasWords(q);
  return [...wanted.keys()].flatMap((name) =>
    names.has(name) || !has(name) ? [] : [{ name, versions: [] }],
  );
}

const perPage = 50;
const orders = [...recipeOrders, 'wanted'] as const;
/** Parameters of the page: those of the operation; the page knows too which recipes were wanted last. */
export const recipeFilters = {
  ...operation.query,
  state: field(oneOf(...states), 'Only recipes in this state', 'missing'),
  ...sorting(orders),
  ...paging(perPage),
};

/** The control of each parameter of the page. */
const controls = {
  q: recipeWords.search,
  state: { label: recipeWords.state, words: { ...wantedWords, unwanted: recipeWords.unwanted } },
  sort: 'kept',
  order: 'kept',
} as const;
const names = namesOf(controls);

/** The page `/recipes`. */
export async function showRecipes(call: PageCall<QueryOf<typeof recipeFilters>>): Promise<Page> {
  const { say } = call.words;
  const { q, state, sort, order, page, pageSize = perPage } = call.query;
  const isClosed = call.gate.refusal() !== undefined;
  const known = await listRecipes(call);
  const isEmpty = known.length === 0;
  const all = await listAllWanted(call, known);
  const wanted = byName(all);
  const stateOf = ({ name }: Row): (typeof states)[number] => {
    const wish = wanted.get(name);
    return wish === undefined ? 'unwanted' : wantedState(wish);
  };
  const run = (await listRuns(call, call.identity)).find(({ recipes }) => recipes.length > 0);
  const named = [...groupRecipes(await listRecipes(call, { q })), ...neverLanded(wanted, known, q)];
  const found = state === undefined || isClosed ? named : named.filter((row) => stateOf(row) === state);
  // missing recipes come first, unless the reader orders the list
  const isMissing = ({ name }: Row): boolean => (wanted.get(name)?.standing ?? 'here') !== 'here';
  const sorted = isClosed ? found : sortRows(found, rowValues(call, wanted), { sort, order });
  const rows =
    sort === undefined ? [...sorted.filter(isMissing), ...sorted.filter((row) => !isMissing(row))] : sorted;
  const list = selectPage(rows, { page, pageSize });
  const hasVerdict = !isClosed && !(isEmpty && wanted.size === 0);
  return {
    title: say(recipeWords.title),
    lead: say(recipeWords.lead),
    sections: [
      ...(hasVerdict ? [{ id: 'verdict', html: answerOf(call, all, groupRecipes(known)) }] : []),
      ...(isEmpty
        ? [
            {
              id: 'actions',
              html: html`<p class="buttons">${hasVerdict ? '' : nextLink(call)}${actionLinks(call, 'plain')}</p>`,
            },
          ]
        : [
            {
              id: 'filters',
              html: html`<div class="table-tools">${filters(call, {
                path: '/recipes',
                section: 'list',
                query: recipeFilters,
                controls: wanted.size === 0 ? { ...controls, state: 'kept' } : controls,
              })}${foldedActions(call)}<div class="view-links">${hasVerdict ? '' : nextLink(call)}${isClosed ? '' : columnForm(call, 'recipes')}</div></div>`,
            },
          ]),
      {
        id: 'list',
        label: say(parts.results),
        html: html`${isClosed && !isEmpty ? html`<p class="muted">${await withheldLine(call, recipeWords.namesOnly)}</p>` : ''}
${recipeTable(call, list, { wanted, run, isClosed })}${pager(call, { ...list.pageOf, pageSize })}`,
      },
      {
        id: 'terminal',
        html: terminal(call.words, [
          curlCommand(call, 'GET', toPath('/recipes', {}, sort === 'wanted' ? { q } : { q, sort, order })),
        ]),
      },
    ],
  };
}
