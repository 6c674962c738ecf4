import type { QueryOf } from '../../../../src/contract/operation.ts';
import { listZones as operation } from '../../../../src/contract/operations/zones.ts';
import type { ZoneBoard } from '../../../../src/contract/zone-board.ts';
import { isSvcError } from '../../../../src/text/error.ts';
import { zones as text } from '../../../../src/text/words/delivering/zones.ts';
import { parts } from '../../../../src/text/words/parts.ts';
import { isLate, standingOf, urgencyOf } from '../../../../src/view/zone/standing.ts';
import { hasZones, listZones, mostShown } from '../../../views/zones.ts';
import { type Html, html } from '../../html.ts';
import { answer } from '../../parts/badge.ts';
import { curlCommand } from '../../parts/curl.ts';
import { errorBlock } from '../../parts/error.ts';
import { filters, isFiltered, namesOf, nothingMatches } from '../../parts/filters.ts';
import { pager, pastEnd } from '../../parts/pager.ts';
import { columnForm, table } from '../../parts/table.ts';
import { terminal, toConfigFlag } from '../../parts/terminal.ts';
import { untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { Page, PageCall } from '../../ui-route.ts';
import { countsCell, deliveriesCell, receiptCell, wantedCell } from './cells.ts';
import { followEvery, isAwaited, isFollowed, sayZone } from './words.ts';

type Call = PageCall<QueryOf<typeof operation.query>>;

/** The control of each parameter of the page. */
const controls = {
  q: text.search,
  state: { label: text.state, words: { ...text, current: text.allCurrent } },
  sort: 'kept',
  order: 'kept',
} as const;
const names = namesOf(controls);

/** Whether the zones have their recipes. @param isAll whether these are all zones, and not one page of them */
function answerOf(call: Call, zones: readonly ZoneBoard[], isAll: boolean): Html {
  const { say } = call.words;
  const states = zones.map(standingOf);
  const lacking = zones.filter((_, i) => states[i] === 'lacks');
  const [first] = zones
    .filter((_, i) => ['lacks', 'overdue', 'unknown'].includes(states[i]!))
    .sort((a, b) => urgencyOf(a) - urgencyOf(b));
  const awaiting = zones.filter(isAwaited).length;
  const unknown = states.filter((state) => state === 'unknown').length - awaiting;
  const late = zones.filter(isLate).length;
  const params = {
    ...{ count: lacking.length, total: zones.length, all: isAll ? 'all' : undefined },
    unknown: unknown || undefined,
  };
  const step =
    first === undefined
      ? ''
      : html`<p class="answer-step"><a class="button button-plain" href="${toPath('/zones/{zone}', { zone: first.name })}">${untrusted(lacking.length > 1 ? say(text.openWorst) : say(text.openZone, { zone: first.name }))}</a></p>`;
  if (lacking.length > 0)
    return answer({
      kind: 'bad',
      mark: say(text.stampLacks),
      what: say(text.zonesLack, { ...params, late: late || undefined }),
      lines: awaiting === 0 ? [] : [say(text.zonesReading, { ...params, count: awaiting })],
      step,
    });
  if (late > 0)
    return answer({
      kind: 'warn',
      mark: say(text.stampLate),
      what: say(text.zonesLate, { ...params, count: late }),
      step,
    });
  if (awaiting > 0)
    return answer({
      kind: 'plain',
      mark: say(text.stampReading),
      what: say(text.zonesReading, { ...params, count: awaiting }),
    });
  if (unknown > 0)
    return answer({
      kind: 'warn',
      mark: say(text.stampUnknown),
      what: say(text.zonesUnknown, { ...params, count: unknown }),
      step,
    });
  const awaited = states.filter((state) => state === 'awaits').length;
  if (awaited > 0)
    return answer({
      kind: 'plain',
      mark: say(text.stampOnWay),
      what: say(text.zonesAwait, { ...params, count: awaited }),
    });
  return answer({ kind: 'ok', mark: say(text.stampHas), what: say(text.zonesHave, { count: zones.length }) });
}

/** The verdict on the zones, where no state selects them, and the zones with their pager, or the error when the list cannot be read. */
async function zoneSections(
  call: Call,
): Promise<{ readonly verdict?: Html; readonly list: Html; readonly every?: number }> {
  const { words } = call;
  const { say } = words;
  const { pageSize = 25 } = call.query;
  try {
    // more are not all read for one page
    const isRanked = call.instance.context.config.zones.length <= mostShown;
    const sort = call.query.sort ?? (isRanked ? 'urgency' : 'configured');
    const { zones, ...pageOf } = await listZones(call, { ...call.query, sort }, 'page');
    const rows = table<ZoneBoard>({
      caption: say(text.title),
      order: sort === 'urgency' ? say(parts.attentionFirst, { title: say(text.title) }) : undefined,
      empty:
        pastEnd(call, pageOf) ??
        (isFiltered(call, names)
          ? nothingMatches(call, '/zones', names, controls)
          : html`<p>${say(text.none)}</p>`),
      rows: zones,
      list: { call, name: 'zones', sort: 'urgency' },
      columns: [
        {
          label: say(text.zone),
          isHeader: true,
          sort: 'name',
          cell: ({ name }) =>
            html`<a href="${toPath('/zones/{zone}', { zone: name })}">${untrusted(name)}</a>`,
        },
        {
          label: say(text.recipes),
          isLead: true,
          sort: 'recipes',
          cell: (board) =>
            board.recipes.length === 0 || isAwaited(board)
              ? html`<div>${untrusted(sayZone(words, board))}.</div>`
              : countsCell(call, board),
        },
        {
          id: 'receipt',
          label: say(text.receipt),
          sort: 'receipt',
          cell: (board) => receiptCell(call, board),
        },
        {
          id: 'deliveries',
          label: say(text.deliveries),
          sort: 'deliveries',
          cell: (board) => deliveriesCell(call, board),
        },
        {
          id: 'resolved',
          label: say(text.resolved),
          sort: 'resolved',
          cell: (board) => wantedCell(call, board),
        },
      ],
    });
    const isAll = pageOf.totalPages <= 1;
    return {
      ...(zones.length === 0 || call.query.state !== undefined
        ? {}
        : { verdict: answerOf(call, zones, isAll) }),
      ...(isFollowed(zones) ? { every: followEvery } : {}),
      list: html`${rows}${pager(call, { ...pageOf, pageSize })}`,
    };
  } catch (error) {
    if (!isSvcError(error)) throw error;
    return { list: errorBlock({ words, error, hasHelp: true, heading: html`<h2>${say(text.title)}</h2>` }) };
  }
}

/** The page `/zones`. */
export async function showZones(call: Call): Promise<Page> {
  const { say } = call.words;
  const { q, state, sort, order } = call.query;
  const form = filters(call, {
    path: '/zones',
    section: 'list',
    query: operation.query,
    controls,
  });
  const { verdict, list, ...live } = await zoneSections(call);
  return {
    title: say(text.title),
    lead: say(text.lead),
    ...(live.every === undefined ? {} : { reload: 10 }),
    sections: [
      ...(verdict === undefined ? [] : [{ id: 'verdict', ...live, html: verdict }]),
      ...(hasZones(call)
        ? [{ id: 'filters', html: html`<div class="table-tools">${form}${columnForm(call, 'zones')}</div>` }]
        : []),
      { id: 'list', ...live, label: say(parts.results), html: list },
      {
        id: 'terminal',
        html: terminal(call.words, [
          `svc zones${state === undefined ? '' : ` --state ${state}`}${toConfigFlag(call)}`,
          curlCommand(call, 'GET', toPath('/zones', {}, { q, state, sort, order })),
        ]),
      },
    ],
  };
}
