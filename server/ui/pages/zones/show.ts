import { type PageOf, selectPage } from '../../../../src/base/page.ts';
import { hasWords } from '../../../../src/base/words.ts';
import type { QueryOf } from '../../../../src/contract/operation.ts';
import { paging } from '../../../../src/contract/operations/paging.ts';
import { type SortValues, sorting, sortRows } from '../../../../src/contract/operations/sorting.ts';
import { listZones } from '../../../../src/contract/operations/zones.ts';
import { oneOf } from '../../../../src/contract/schema.ts';
import {
  type ZoneBoard,
  type ZoneBoardRecipe,
  zoneRecipeStates,
} from '../../../../src/contract/zone-board.ts';
import { isToCarry } from '../../../../src/engine/zone/to-carry.ts';
import { zones as text } from '../../../../src/text/words/delivering/zones.ts';
import { parts } from '../../../../src/text/words/parts.ts';
import { listLedgerDeliveries } from '../../../../src/view/delivered/ledger-deliveries.ts';
import { listRecipes } from '../../../../src/view/recipes.ts';
import { isLate, standingOf } from '../../../../src/view/zone/standing.ts';
import { keepsReceipts } from '../../../views/delivering.ts';
import { showZone } from '../../../views/zones.ts';
import { type Html, html } from '../../html.ts';
import { answer, badge } from '../../parts/badge.ts';
import { curlCommand } from '../../parts/curl.ts';
import { deliveryLink, maySeeDeliveries } from '../../parts/delivery-link.ts';
import { filters, isFiltered, namesOf, nothingMatches } from '../../parts/filters.ts';
import { historyLink } from '../../parts/history-link.ts';
import { pager, pastEnd } from '../../parts/pager.ts';
import { columnForm, facts, table } from '../../parts/table.ts';
import { terminal, toConfigFlag } from '../../parts/terminal.ts';
import { noValue, tableMoment, untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { Page, PageCall, Section } from '../../ui-route.ts';
import { toWantedPlan } from '../deliver/wanted.ts';
import { proofLine } from '../deliveries/steps.ts';
import { listCards, recipeNotes, sayUnresolved } from './cards.ts';
import {
  blockedLine,
  codeLink,
  countsCell,
  deliveriesCell,
  receiptCell,
  stateKinds,
  urgencyOfRecipe,
  wantedCell,
} from './cells.ts';
import { followEvery, isAwaited, isFollowed, sayLate, sayZone } from './words.ts';

const perPage = 50;

/** Parameters of the page: those of the table of its recipes. */
export const recipeFilters = {
  q: listZones.query.q,
  state: { schema: oneOf(...zoneRecipeStates) },
  ...sorting(['state', 'name', 'since']),
  ...paging(perPage),
};

type Call = PageCall<QueryOf<typeof recipeFilters>, { readonly zone: string }>;

/** The control of each of them. */
const controls = {
  q: text.search,
  state: { label: text.state, words: text },
  sort: 'kept',
  order: 'kept',
} as const;
const names = namesOf(controls);

/** The values by which recipes are ordered, the most urgent state first. */
const sortValues: SortValues<ZoneBoardRecipe, 'state' | 'name' | 'since'> = {
  state: urgencyOfRecipe,
  name: ({ name }) => name,
  since: ({ since }) => since,
};

const pageOfZone = ({ path: { zone } }: Call): string => toPath('/zones/{zone}', { zone });

function stateCell(call: PageCall, zone: string, one: ZoneBoardRecipe): Html {
  const { say } = call.words;
  const { state, code, delivery, lacks, error } = one;
  // the sentence of an error ends with its code
  const reason = code === undefined || error !== undefined ? '' : html` ${codeLink(code)}`;
  return html`${badge(stateKinds[state], say(text[state]))}${reason}${delivery === undefined ? '' : html` ${deliveryLink(call, delivery)}`}${
    lacks === undefined ? '' : html` <span class="muted">${say(text.lacks, lacks)}</span>`
  }${state === 'blocked' ? blockedLine(call.words, code) : ''}${recipeNotes(call, zone, one)}`;
}

/** The recipes that are here, by name: each has a page. */
type Here = ReadonlySet<string>;

function recipeTable(
  call: Call,
  { here, zone }: { readonly here: Here; readonly zone: string },
  { selected, pageOf }: { readonly selected: readonly ZoneBoardRecipe[]; readonly pageOf: PageOf },
): Html {
  const { words } = call;
  const { say } = words;
  return table<ZoneBoardRecipe>({
    caption: say(text.recipes),
    empty:
      pastEnd(call, pageOf) ??
      (isFiltered(call, names)
        ? nothingMatches(call, pageOfZone(call), names, controls)
        : html`<p>${say(text.noRecipes)}</p>`),
    rows: selected,
    list: { call, name: 'zone', sort: 'state' },
    columns: [
      {
        label: say(text.recipe),
        isHeader: true,
        sort: 'name',
        cell: ({ name }) =>
          here.has(name)
            ? html`<a href="${toPath('/recipes/-/{name}', { name })}">${untrusted(name)}</a>`
            : untrusted(name),
      },
      { label: say(text.state), isLead: true, sort: 'state', cell: (one) => stateCell(call, zone, one) },
      {
        id: 'wanted',
        label: say(text.wanted),
        cell: ({ wanted, requested = '' }) =>
          wanted === undefined ? html`<span class="muted">${untrusted(requested)}</span>` : untrusted(wanted),
      },
      {
        id: 'present',
        label: say(text.present),
        cell: ({ present }) => (present === undefined ? noValue : untrusted(present)),
      },
      {
        id: 'since',
        label: say(text.asOf),
        isTime: true,
        sort: 'since',
        cell: ({ since }) => (since === undefined ? noValue : tableMoment(words, since)),
      },
    ],
  });
}

/** A delivery, or where the receipts of a zone are in doubt or overdue, the receipt that mends them. */
function nextSteps(call: PageCall, board: ZoneBoard): Html | string {
  const { say } = call.words;
  const { name, receipt, unbelieved } = board;
  if (!call.can('operator') || !keepsReceipts(call)) return '';
  const mayBring = board.recipes.some(isToCarry);
  const isAwaiting = !mayBring && board.totals['in-transit'] > 0;
  const isReceipt = receipt?.fork !== undefined || unbelieved !== undefined || isLate(board) || isAwaiting;
  const [add, deliver] = isReceipt ? ['primary', 'plain'] : ['plain', 'primary'];
  return html`<p class="buttons"><a class="button button-${add}" href="/receipts">${say(text.addReceipt)}</a>${mayBring ? html`<a class="button button-${deliver}" href="${toWantedPlan(name)}">${say(text.deliver)}</a>` : ''}</p>`;
}

const looks = {
  unknown: ['warn', text.stampUnknown],
  lacks: ['bad', text.stampLacks],
  overdue: ['warn', text.stampLate],
  awaits: ['plain', text.stampOnWay],
  has: ['ok', text.stampHas],
} as const;

/** Deliveries whose proof has a line; the cell of the deliveries names all. */
const mostProofs = 3;

/** How many deliveries are not proved, and why: the last proof of each, for readers of its page, where it is on record. */
async function unprovedLines(call: PageCall, { unproved }: ZoneBoard): Promise<readonly (Html | string)[]> {
  if (unproved === undefined) return [];
  const { say } = call.words;
  const count = say(text.unprovedCount, { count: unproved.length });
  const known = maySeeDeliveries(call) ? await listLedgerDeliveries(call) : [];
  const proofs = new Map(known.map(({ id, proved }) => [id, proved]));
  const proved = unproved.filter(({ id }) => proofs.get(id) !== undefined).slice(0, mostProofs);
  if (proved.length === 0) return [`${count}. ${say(text.unprovedWhy)}`];
  return [
    `${count}. ${say(text.unprovedEffect)}`,
    ...proved.map(
      ({ id }) => html`${deliveryLink(call, id)}${say(parts.colon)} ${proofLine(call, proofs.get(id))}`,
    ),
  ];
}

/** Whether the zone has the recipes that it should have. @param unproved lines about its deliveries without a proof */
function answerOf(call: PageCall, board: ZoneBoard, unproved: readonly (Html | string)[]): Html {
  const { say } = call.words;
  const standing = standingOf(board);
  const [kind, stamp] = isAwaited(board) ? (['plain', text.stampReading] as const) : looks[standing];
  const isInPart = standing === 'awaits' && board.deliveries[0]?.inPart !== undefined;
  const late = sayLate(call.words, board);
  const unresolved = isAwaited(board) ? '' : sayUnresolved(call, board);
  return answer({
    kind,
    mark: say(
      isInPart ? text.stampInPart : standing === 'lacks' && late !== undefined ? text.stampLate : stamp,
    ),
    what: untrusted(sayZone(call.words, board)),
    lines: [
      standing === 'lacks' && late !== undefined ? untrusted(`${late}.`) : '',
      late === undefined ? '' : untrusted(say(text.lateStep, { zone: board.name })),
      unresolved === '' ? '' : untrusted(`${unresolved}.`),
      ...unproved,
      board.unfinished === undefined
        ? ''
        : `${say(text.unfinishedCount, { count: board.unfinished.length })}. ${say(board.unfinished[0]?.lost === undefined ? text.unfinishedWhy : text.lostWhy)}`,
    ],
    step: nextSteps(call, board),
  });
}

/** A board whose recipes bear no code of a Retriever that is still being read: nothing failed. */
const withoutWaits = (board: ZoneBoard): ZoneBoard =>
  isAwaited(board) ? { ...board, recipes: board.recipes.map(({ code: _, ...recipe }) => recipe) } : board;

/** The page `/zones/{zone}`. @throws SVC-REG-005 for an unknown zone */
export async function showOneZone(call: Call): Promise<Page> {
  const { words, query } = call;
  const { say } = words;
  const { zone } = call.path;
  const board = withoutWaits(await showZone(call, zone, 'page'));
  const { q = '', state, sort, order, pageSize = perPage } = query;
  const isNamed = hasWords(q);
  const found = board.recipes.filter(
    (one) => isNamed(one.name) && (state === undefined || one.state === state),
  );
  const sorted = sortRows(found, sortValues, { sort, order });
  const here = new Set((await listRecipes(call)).map(({ name }) => name));
  const list = selectPage(sorted, { ...query, pageSize });
  const live: Pick<Section, 'every'> = isFollowed([board]) ? { every: followEvery } : {};
  return {
    title: board.name,
    heading: untrusted(board.name),
    crumbs: [[say(text.title), '/zones']],
    paper: [],
    ...(live.every === undefined ? {} : { reload: 10 }),
    sections: [
      {
        id: 'verdict',
        ...live,
        html: html`${answerOf(call, board, await unprovedLines(call, board))}${listCards(call, board)}`,
      },
      {
        id: 'summary',
        ...live,
        html: html`${facts([
          [say(text.recipes), countsCell(call, board)],
          [say(text.receipt), receiptCell(call, board)],
          [say(text.deliveries), deliveriesCell(call, board)],
          [say(text.resolved), wantedCell(call, board)],
        ])}${historyLink(call, board.name)}`,
      },
      ...(board.recipes.length === 0
        ? []
        : [
            {
              id: 'filters',
              html: html`<div class="table-tools">${filters(call, {
                path: pageOfZone(call),
                section: 'list',
                query: recipeFilters,
                controls,
              })}${columnForm(call, 'zone')}</div>`,
            },
          ]),
      {
        id: 'list',
        ...live,
        label: say(parts.results),
        html: html`${recipeTable(call, { here, zone: board.name }, list)}${pager(call, { ...list.pageOf, pageSize })}`,
      },
      {
        id: 'terminal',
        html: terminal(words, [
          `svc zones ${board.name}${toConfigFlag(call)}`,
          curlCommand(call, 'GET', toPath('/zones/{zone}', { zone: board.name })),
        ]),
      },
    ],
  };
}
