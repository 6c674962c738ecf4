import { type PageOf, selectPage } from '../../../../src/base/page.ts';
import type { QueryOf } from '../../../../src/contract/operation.ts';
import { paging } from '../../../../src/contract/operations/paging.ts';
import {
  type ZoneBoard,
  type ZoneBoardRecipe,
  zoneRecipeStates,
} from '../../../../src/contract/zone-board.ts';
import { zones as text } from '../../../../src/text/words/delivering/zones.ts';
import { listRecipes } from '../../../../src/view/recipes.ts';
import { keepsReceipts } from '../../../views/delivering.ts';
import { showZone } from '../../../views/zones.ts';
import { type Html, html } from '../../html.ts';
import { answer, badge } from '../../parts/badge.ts';
import { curlCommand } from '../../parts/curl.ts';
import { shortDigest } from '../../parts/digest.ts';
import { pager, pastEnd } from '../../parts/pager.ts';
import { facts, table } from '../../parts/table.ts';
import { terminal, toConfigFlag } from '../../parts/terminal.ts';
import { moment, noValue, untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { Page, PageCall } from '../../ui-route.ts';
import {
  blockedLine,
  codeLink,
  countsCell,
  deliveriesCell,
  deliveryLink,
  receiptCell,
  standingOf,
  stateKinds,
  wantedCell,
} from './cells.ts';

const perPage = 50;
export const recipePaging = paging(perPage);

type Call = PageCall<QueryOf<typeof recipePaging>, { readonly zone: string }>;

const urgency = ({ state }: ZoneBoardRecipe): number => zoneRecipeStates.indexOf(state);

function stateCell(call: PageCall, { state, code, delivery, lacks }: ZoneBoardRecipe): Html {
  const { say } = call.words;
  const reason = code === undefined ? '' : html` ${codeLink(code)}`;
  return html`${badge(stateKinds[state], say(text[state]))}${reason}${delivery === undefined ? '' : html` ${deliveryLink(call, delivery)}`}${
    lacks === undefined ? '' : html` <span class="muted">${say(text.lacks, lacks)}</span>`
  }${state === 'blocked' ? blockedLine(call.words, code) : ''}`;
}

/** The recipes that are here, by name: each has a page. */
type Here = ReadonlySet<string>;

function recipeTable(
  call: PageCall,
  here: Here,
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
      { label: say(text.state), cell: (one) => stateCell(call, one) },
      {
        label: say(text.wanted),
        cell: ({ wanted, requested = '' }) =>
          wanted === undefined ? html`<span class="muted">${untrusted(requested)}</span>` : untrusted(wanted),
      },
      {
        label: say(text.present),
        cell: ({ present }) => (present === undefined ? noValue : untrusted(present)),
      },
      { label: say(text.asOf), cell: ({ since }) => (since === undefined ? noValue : moment(words, since)) },
    ],
  });
}

/** The two digests of a fork, and the remedy. */
function forkFact({ words }: PageCall, { receipt }: ZoneBoard): readonly (readonly [string, Html])[] {
  if (receipt?.fork === undefined) return [];
  const { say } = words;
  const { known, refused } = receipt.fork;
  const show = (digest: string): Html => shortDigest(words, digest, say(text.receipt));
  return [
    [
      'SVC-RCP-003',
      html`<div>${show(known)}</div><div>${show(refused)}</div><p class="hint">${say(text.forkHelp)}</p>`,
    ],
  ];
}

/** A delivery, or for a zone whose receipts fork, the receipt that mends them. */
function nextSteps(call: PageCall, { name, receipt }: ZoneBoard): Html | string {
  const { say } = call.words;
  if (!call.can('operator') || !keepsReceipts(call)) return '';
  const [add, deliver] = receipt?.fork === undefined ? ['plain', 'primary'] : ['primary', 'plain'];
  return html`<p class="buttons"><a class="button button-${add}" href="/receipts">${say(text.addReceipt)}</a><a class="button button-${deliver}" href="${toPath('/deliver', {}, { zone: name })}">${say(text.deliver)}</a></p>`;
}

/** The states that count as a lack, as `1 blocked, 2 missing`. */
function lackedCounts({ words: { say } }: PageCall, totals: ZoneBoard['totals']): string {
  return (['blocked', 'missing', 'behind'] as const)
    .filter((state) => totals[state] > 0)
    .map((state) => say(text.stateCounts[state], { count: totals[state] }))
    .join(', ');
}

/** Whether the zone has the recipes that it should have. */
function answerOf(call: PageCall, board: ZoneBoard): Html {
  const { say } = call.words;
  const { name, totals } = board;
  const lacks = totals.blocked + totals.missing + totals.behind;
  const step = nextSteps(call, board);
  const standing = standingOf(board);
  if (standing === 'unknown')
    return answer({
      kind: 'warn',
      mark: say(text.stampUnknown),
      what: say(text.notKnown, { zone: name }),
      step,
    });
  if (standing === 'lacks')
    return answer({
      kind: 'bad',
      mark: say(text.stampLacks),
      what: say(text.zoneLacks, { count: lacks, zone: name, which: lackedCounts(call, totals) }),
      step,
    });
  if (standing === 'awaits')
    return answer({
      kind: 'plain',
      mark: say(text.stampOnWay),
      what: say(text.zoneAwaits, { count: totals['in-transit'], zone: name }),
      step,
    });
  return answer({
    kind: 'ok',
    mark: say(text.stampHas),
    what: say(text.zoneHas, { count: totals.current, zone: name }),
    step,
  });
}

/** The page `/zones/{zone}`. @throws SVC-REG-005 for an unknown zone */
export async function showOneZone(call: Call): Promise<Page> {
  const { words, query } = call;
  const { say } = words;
  const { zone } = call.path;
  const board = await showZone(call, zone);
  const { pageSize = perPage } = query;
  const sorted = board.recipes.toSorted((a, b) => urgency(a) - urgency(b));
  const here = new Set((await listRecipes(call)).map(({ name }) => name));
  const list = selectPage(sorted, { ...query, pageSize });
  return {
    title: board.name,
    heading: untrusted(board.name),
    crumbs: [[say(text.title), '/zones']],
    paper: [],
    sections: [
      { id: 'verdict', html: answerOf(call, board) },
      {
        id: 'summary',
        html: facts([
          [say(text.recipes), countsCell(call, board)],
          [say(text.receipt), receiptCell(call, board)],
          ...forkFact(call, board),
          [say(text.deliveries), deliveriesCell(call, board)],
          [say(text.resolved), wantedCell(call, board)],
        ]),
      },
      {
        id: 'list',
        html: html`${recipeTable(call, here, list)}${pager(call, { ...list.pageOf, pageSize })}`,
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
