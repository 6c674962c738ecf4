import { type PageOf, selectPage } from '../../../../src/base/page.ts';
import type { QueryOf } from '../../../../src/contract/operation.ts';
import { paging } from '../../../../src/contract/operations/paging.ts';
import {
  type ZoneBoard,
  type ZoneBoardRecipe,
  zoneRecipeStates,
} from '../../../../src/contract/zone-board.ts';
import { zones as text } from '../../../../src/text/words/delivering/zones.ts';
import { parts } from '../../../../src/text/words/parts.ts';
import { listRecipes } from '../../../../src/view/recipes.ts';
import { isLate, standingOf } from '../../../../src/view/zone/standing.ts';
import { keepsReceipts } from '../../../views/delivering.ts';
import { showZone } from '../../../views/zones.ts';
import { type Html, html } from '../../html.ts';
import { answer, badge } from '../../parts/badge.ts';
import { curlCommand } from '../../parts/curl.ts';
import { deliveryLink } from '../../parts/delivery-link.ts';
import { historyLink } from '../../parts/history-link.ts';
import { pager, pastEnd } from '../../parts/pager.ts';
import { facts, table } from '../../parts/table.ts';
import { terminal, toConfigFlag } from '../../parts/terminal.ts';
import { noValue, tableMoment, untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { Page, PageCall, Section } from '../../ui-route.ts';
import { toWantedPlan } from '../deliver/wanted.ts';
import { listCards, recipeNotes, sayUnresolved } from './cards.ts';
import {
  blockedLine,
  codeLink,
  countsCell,
  deliveriesCell,
  receiptCell,
  stateKinds,
  wantedCell,
} from './cells.ts';
import { followEvery, isAwaited, isFollowed, sayLate, sayZone } from './words.ts';

const perPage = 50;
export const recipePaging = paging(perPage);

type Call = PageCall<QueryOf<typeof recipePaging>, { readonly zone: string }>;

const urgency = ({ state }: ZoneBoardRecipe): number => zoneRecipeStates.indexOf(state);

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
  call: PageCall,
  { here, zone }: { readonly here: Here; readonly zone: string },
  { selected, pageOf }: { readonly selected: readonly ZoneBoardRecipe[]; readonly pageOf: PageOf },
): Html {
  const { words } = call;
  const { say } = words;
  return table<ZoneBoardRecipe>({
    caption: say(text.recipes),
    empty: pastEnd(call, pageOf) ?? html`<p>${say(text.noRecipes)}</p>`,
    rows: selected,
    columns: [
      {
        label: say(text.recipe),
        isHeader: true,
        cell: ({ name }) =>
          here.has(name)
            ? html`<a href="${toPath('/recipes/-/{name}', { name })}">${untrusted(name)}</a>`
            : untrusted(name),
      },
      { label: say(text.state), isLead: true, cell: (one) => stateCell(call, zone, one) },
      {
        label: say(text.wanted),
        cell: ({ wanted, requested = '' }) =>
          wanted === undefined ? html`<span class="muted">${untrusted(requested)}</span>` : untrusted(wanted),
      },
      {
        label: say(text.present),
        cell: ({ present }) => (present === undefined ? noValue : untrusted(present)),
      },
      {
        label: say(text.asOf),
        isTime: true,
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
  const isReceipt = receipt?.fork !== undefined || unbelieved !== undefined || isLate(board);
  const [add, deliver] = isReceipt ? ['primary', 'plain'] : ['plain', 'primary'];
  return html`<p class="buttons"><a class="button button-${add}" href="/receipts">${say(text.addReceipt)}</a><a class="button button-${deliver}" href="${toWantedPlan(name)}">${say(text.deliver)}</a></p>`;
}

const looks = {
  unknown: ['warn', text.stampUnknown],
  lacks: ['bad', text.stampLacks],
  overdue: ['warn', text.stampLate],
  awaits: ['plain', text.stampOnWay],
  has: ['ok', text.stampHas],
} as const;

/** Whether the zone has the recipes that it should have. */
function answerOf(call: PageCall, board: ZoneBoard): Html {
  const { say } = call.words;
  const standing = standingOf(board);
  const [kind, stamp] = isAwaited(board) ? (['plain', text.stampReading] as const) : looks[standing];
  const late = sayLate(call.words, board);
  const unresolved = isAwaited(board) ? '' : sayUnresolved(call, board);
  return answer({
    kind,
    mark: say(standing === 'lacks' && late !== undefined ? text.stampLate : stamp),
    what: untrusted(sayZone(call.words, board)),
    lines: [
      standing === 'lacks' && late !== undefined ? untrusted(`${late}.`) : '',
      late === undefined ? '' : untrusted(say(text.lateStep, { zone: board.name })),
      unresolved === '' ? '' : untrusted(`${unresolved}.`),
      board.unproved === undefined
        ? ''
        : html`${say(text.unprovedCount, { count: board.unproved.length })}${say(parts.colon)} ${board.unproved.map(({ id }, i) => html`${i === 0 ? '' : ', '}${deliveryLink(call, id)}`)}. ${say(text.unprovedWhy)}`,
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
  const { pageSize = perPage } = query;
  const sorted = board.recipes.toSorted((a, b) => urgency(a) - urgency(b));
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
      { id: 'verdict', ...live, html: html`${answerOf(call, board)}${listCards(call, board)}` },
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
      {
        id: 'list',
        ...live,
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
