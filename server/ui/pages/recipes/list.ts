import { type PageOf, selectPage } from '../../../../src/base/page.ts';
import { hasWords } from '../../../../src/base/words.ts';
import { field, type QueryOf } from '../../../../src/contract/operation.ts';
import { paging } from '../../../../src/contract/operations/paging.ts';
import { listRecipes as operation, recipeOrders } from '../../../../src/contract/operations/recipes.ts';
import { type SortValues, sorting, sortRows } from '../../../../src/contract/operations/sorting.ts';
import { oneOf } from '../../../../src/contract/schema.ts';
import type { ListedRecipe } from '../../../../src/operation/list-recipes.ts';
import { authoring } from '../../../../src/text/words/authoring.ts';
import { imports } from '../../../../src/text/words/imports.ts';
import { overview } from '../../../../src/text/words/overview.ts';
import { parts } from '../../../../src/text/words/parts.ts';
import { publish } from '../../../../src/text/words/publish.ts';
import { recipeWords } from '../../../../src/text/words/recipes.ts';
import { store } from '../../../../src/text/words/store.ts';
import { sync } from '../../../../src/text/words/sync.ts';
import { listRecipes, recipeValues } from '../../../../src/view/recipes.ts';
import {
  attention,
  findSigner,
  isFailedSync,
  lastGoodSync,
  type Run,
  rankWanted,
  type WantedRecipe,
  wantedState,
  wantedStates,
} from '../../../../src/view/runs.ts';
import { toVerdictSentence } from '../../../../src/view/zone-verdict.ts';
import { listBlocked } from '../../../views/blocked.ts';
import { describeDamage, type Mending } from '../../../views/damage.ts';
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
import { damagedBadge, mendStep } from '../damage.ts';
import { firstStep } from '../first-step.ts';
import { missingPlace, sayAwaited } from '../overview/missing-place.ts';
import { type AllWanted, byName, readWanted, wantedBadge, wantedWords } from '../overview/wanted.ts';
import { isDoubtful, trustBadge } from './trust-badge.ts';

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
const states = [...wantedStates, 'unwanted'] as const;

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
    landed: (row) => wanted.get(row.name)?.arrival?.landedAt ?? ofNewest('landed')(row),
    ingredients: ofNewest('ingredients'),
    signature: ofNewest('signature'),
    wanted: ({ name }) => {
      const wish = wanted.get(name);
      return wish && states.indexOf(wantedState(wish));
    },
  };
}

/** The state of a recipe; one of which the newest version is damaged is damaged, also where another one is wanted. */
export function rowState(
  { versions: [newest] }: Pick<Row, 'versions'>,
  wish: WantedRecipe | undefined,
): (typeof states)[number] {
  const state = wish === undefined ? 'unwanted' : wantedState(wish);
  const isHere = state === 'present' || state === 'unwanted';
  return isHere && newest?.damaged ? 'damaged' : state;
}

const toRecipe = (name: string, version?: string): string =>
  toPath('/recipes/-/{name}', { name }, { version });

/** @param state whether the row has the state of this version in another column */
function versionCell(
  { words }: PageCall,
  { name, versions: [newest] }: Row,
  { version = newest?.version, state }: { readonly version?: string | undefined; readonly state: boolean },
): Html | string {
  if (version === undefined) return '';
  const mark = newest?.damaged && newest.version === version && !state ? html` ${damagedBadge(words)}` : '';
  return html`<a href="${toRecipe(name, version)}">${shortVersion(version)}</a>${mark}`;
}

/** When a recipe came into the zone, by the imports; else into the store. */
function landedCell(
  { words, gate }: PageCall,
  { versions: [newest] }: Row,
  wish: WantedRecipe | undefined,
): Html {
  const arrived = wish?.arrival?.landedAt;
  if (arrived !== undefined) return dayOf(words, arrived);
  // a medium has the day of its source
  if (newest === undefined || gate.guarded) return noValue;
  const at = landedAt(newest);
  return at === undefined
    ? html`<span class="muted">${words.say(recipeWords.publishedHere)}</span>`
    : dayOf(words, at);
}

/** A wanted recipe of a row, with the run that wanted recipes last. */
interface Wish {
  readonly wish: WantedRecipe;
  readonly run: Run | undefined;
  /** Whether another column has the version, and the store is a disk with some of the recipes. */
  readonly isOfZone: boolean;
}

/**
 * The wanted version, as far as it is not the newest one here, its standing, and the reason of a missing one. The version leads
 * to the disk or task that brings it.
 */
function wantedCell(call: PageCall, { versions }: Row, { wish, run, isOfZone }: Wish): Html {
  const { say } = call.words;
  const { version, standing, error } = wish;
  const badge = wantedBadge(call.words, wish);
  const isHere = standing === 'here';
  const shown = isOfZone || version === versions[0]?.version ? '' : untrusted(version);
  if (isHere && (isOfZone || versions.some((each) => each.version === version)))
    return html`<span>${shown} ${badge}</span>`;
  const place = missingPlace(call, wish, run);
  const isWay = !isOfZone && !place.startsWith('/recipes');
  const awaited = isHere ? say(recipeWords.notInStore) : sayAwaited(call.words, wish);
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
    runs,
    isClosed,
    isOfZone,
    isMixed,
  }: {
    readonly wanted: ReadonlyMap<string, WantedRecipe>;
    /** The run that wanted recipes last. */
    readonly run: Run | undefined;
    readonly runs: readonly Run[];
    readonly isClosed: boolean;
    /** Whether the list is that of a zone, and the store a disk with some of it. */
    readonly isOfZone: boolean;
    /** Whether rows that ask for attention come first. */
    readonly isMixed: boolean;
  },
): Html {
  const { say, format } = call.words;
  const blocked = new Set(listBlocked(call).map(({ name }) => name));
  return table<Row>({
    caption: say(recipeWords.title),
    order: isMixed ? say(parts.attentionFirst, { title: say(recipeWords.title) }) : undefined,
    empty:
      pastEnd(call, pageOf) ??
      (isFiltered(call, names)
        ? nothingMatches(call, '/recipes', names, controls)
        : html`<p>${say(recipeWords.empty)}</p>${firstStep(call)}`),
    rows: selected,
    ...(isClosed ? {} : { list: { call, name: 'recipes', sort: isMixed ? '' : 'name' } }),
    columns: [
      {
        label: say(recipeWords.recipe),
        isHeader: true,
        sort: 'name',
        cell: ({ name }) =>
          isClosed ? untrusted(name) : html`<a href="${toRecipe(name)}">${untrusted(name)}</a>`,
      },
      ...(isClosed
        ? []
        : ([
            {
              id: 'newest',
              label: say(isOfZone ? recipeWords.version : recipeWords.newest),
              cell: (row: Row) => {
                const wish = wanted.get(row.name);
                const state = wish !== undefined && wish.version === row.versions[0]?.version;
                return versionCell(call, row, { version: isOfZone ? wish?.version : undefined, state });
              },
            },
            ...(wanted.size === 0
              ? []
              : [
                  {
                    id: 'wanted',
                    label: say(isOfZone ? recipeWords.state : recipeWords.wanted),
                    sort: 'wanted',
                    cell: (row: Row) => {
                      const wish = wanted.get(row.name);
                      return wish === undefined ? noValue : wantedCell(call, row, { wish, run, isOfZone });
                    },
                  } as const,
                ]),
            {
              id: 'signature',
              isState: true,
              label: say(recipeWords.signature),
              sort: 'signature',
              cell: ({ name, versions: [newest] }: Row) => {
                const arrival = wanted.get(name)?.arrival;
                const known = newest ?? toSigned(arrival && findSigner(runs, arrival));
                return known === undefined ? '' : trustBadge(call, known);
              },
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
              label: say(isOfZone ? recipeWords.onDisk : recipeWords.versionsHere),
              isNumber: !isOfZone,
              cell: (row: Row) =>
                isOfZone
                  ? onDiskCell(call, row, { wish: wanted.get(row.name), blocked })
                  : row.versions.length === 0
                    ? noValue
                    : format.number(row.versions.length),
            },
            {
              id: 'landed',
              label: say(recipeWords.landed),
              sort: 'landed',
              cell: (row: Row) =>
                landedCell(call, row, isOfZone || call.gate.guarded ? wanted.get(row.name) : undefined),
            },
          ] satisfies readonly Column<Row>[])),
    ],
  });
}

/** The verification of an import, in the form of the record of a recipe in the store. */
const toSigned = (signer: { readonly keyFingerprint?: string } | undefined) =>
  signer && { verified: true, ...signer };

/** The versions of a recipe that the disk in the drive has, and serves; else whether it is there and blocked. */
function onDiskCell(
  { words: { say } }: PageCall,
  { name, versions }: Row,
  { wish, blocked }: { readonly wish: WantedRecipe | undefined; readonly blocked: ReadonlySet<string> },
): Html | string {
  if (wish?.isCopyDamaged) return say(recipeWords.copyDamaged);
  const [first] = versions;
  if (first === undefined) return blocked.has(name) ? say(recipeWords.stampBlocked) : noValue;
  return first.version === wish?.version && versions.length === 1
    ? say(recipeWords.isOnDisk)
    : html`${versions.map(({ version }) => html`${shortVersion(version)} `)}`;
}

/** The way to further recipes, for an operator: to the medium where disks bring the wanted ones. */
function nextLink(call: PageCall, isDelivered = false): Html | string {
  const { say } = call.words;
  if (!call.can('operator')) return '';
  if (describeRetriever(call).source !== undefined && !(isDelivered && takesMedia(call)))
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
function answerOf(
  call: PageCall,
  { wanted, isDelivered }: Pick<AllWanted, 'wanted' | 'isDelivered'>,
  {
    rows,
    mending,
    failure,
  }: { readonly rows: readonly Row[]; readonly mending: Mending | undefined; readonly failure: string },
): Html {
  const { say } = call.words;
  const link = nextLink(call, isDelivered);
  const step = link === '' ? '' : html`<p class="answer-step">${link}</p>`;
  const unverified = rows.filter(({ versions: [newest] }) => newest?.verified === false).length;
  const lines = [
    failure,
    unverified === 0 ? '' : say(recipeWords.someUnverified, { count: unverified }),
    mending === undefined ? '' : untrusted(mendStep(call, mending).text),
  ];
  const known = rows.length;
  const count = wanted.length;
  if (count === 0)
    return answer({
      kind: 'plain',
      mark: say(recipeWords.stampHere),
      what: say(recipeWords.allHere, {
        count: known,
        damaged: rows.filter(({ versions }) => versions[0]?.damaged).length || undefined,
      }),
      lines,
      step,
    });
  const countOf = (...of: readonly ReturnType<typeof wantedState>[]): number =>
    wanted.filter((each) => of.includes(wantedState(each))).length;
  const here = countOf('present');
  const damaged = countOf('damaged');
  if (here === count)
    return answer({
      kind: failure === '' ? 'ok' : 'warn',
      mark: say(failure === '' ? recipeWords.stampComplete : overview.stampAttention),
      what: say(isDelivered ? recipeWords.allDelivered : recipeWords.allWanted, { count }),
      lines,
      step,
    });
  return answer({
    kind: 'bad',
    mark: say(here + damaged === count ? store.stampDamaged : recipeWords.stampIncomplete),
    what: say(isDelivered ? recipeWords.someDelivered : recipeWords.someWanted, {
      count,
      here: here || undefined,
      blocked: countOf('blocked') || undefined,
      damaged: damaged || undefined,
      missing: countOf('missing', 'gone') || undefined,
    }),
    lines,
    step,
  });
}

/** That the last synchronization failed, and when the one before it ended that brought the content here. */
const sayFailedSync = ({ words }: PageCall, { task }: Run, runs: readonly Run[]): string =>
  toVerdictSentence(words, {
    ...{ kind: 'run-failed', at: task.finishedAt ?? task.createdAt },
    of: lastGoodSync(runs),
  });

/** Rows of the wanted recipes of which no version is in the store, with each word of the text in their name. */
export function listAbsent(
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
  const all = await readWanted(call, known);
  const { run, isDelivered } = all;
  const wanted = byName(all.wanted);
  const runs = await listRuns(call, call.identity);
  const named = [...groupRecipes(await listRecipes(call, { q })), ...listAbsent(wanted, known, q)];
  const found =
    state === undefined || isClosed
      ? named
      : named.filter((row) => rowState(row, wanted.get(row.name)) === state);
  // errors come first, then warnings, unless the reader orders the list
  const rankOf = ({ name, versions: [newest] }: Row): number => {
    const rank = rankWanted(wanted.get(name) ?? { standing: 'here' });
    if (newest === undefined) return rank;
    if (newest.damaged) return attention.error;
    return Math.min(rank, isDoubtful(call, newest) ? attention.warning : attention.good);
  };
  const sorted = isClosed ? found : sortRows(found, rowValues(call, wanted), { sort, order });
  const rows = sort === undefined && !isClosed ? sorted.toSorted((a, b) => rankOf(a) - rankOf(b)) : sorted;
  const list = selectPage(rows, { page, pageSize });
  const isMixed = !isClosed && sort === undefined && found.some((row) => rankOf(row) < attention.good);
  const { damagedIn, mending: planned } = await describeDamage(call);
  const groups = groupRecipes(known);
  // the store tells of damage in versions that no row shows
  const isShown =
    groups.some(({ versions: [newest] }) => newest?.damaged) ||
    all.wanted.some((each) => wantedState(each) === 'damaged');
  const mending = damagedIn.length > 0 && isShown ? planned : undefined;
  const failure = run === undefined || !isFailedSync(run) ? '' : sayFailedSync(call, run, runs);
  const hasVerdict = !isClosed && !(isEmpty && wanted.size === 0);
  return {
    title: say(recipeWords.title),
    lead: say(recipeWords.lead),
    sections: [
      ...(hasVerdict
        ? [{ id: 'verdict', html: answerOf(call, all, { rows: groups, mending, failure }) }]
        : []),
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
${recipeTable(call, list, { wanted, run, runs, isClosed, isOfZone: isDelivered && call.gate.guarded, isMixed })}${pager(call, { ...list.pageOf, pageSize })}`,
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
