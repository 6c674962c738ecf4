import { deliveryStates } from '../../../../src/contract/delivery.ts';
import type { QueryOf } from '../../../../src/contract/operation.ts';
import { listKnownDeliveries as operation } from '../../../../src/contract/operations/deliveries.ts';
import { dossier } from '../../../../src/text/words/delivering/dossier.ts';
import { steps } from '../../../../src/text/words/delivering/next-steps.ts';
import { parts } from '../../../../src/text/words/parts.ts';
import { type KnownDelivery, listKnownDeliveries } from '../../../../src/view/delivered/known-deliveries.ts';
import { selectDeliveries } from '../../../../src/view/delivered/list-deliveries.ts';
import { codesOf, standingOf } from '../../../../src/view/delivered/standing.ts';
import { type Html, html } from '../../html.ts';
import { answer } from '../../parts/badge.ts';
import { filters, isFiltered, nothingMatches } from '../../parts/filters.ts';
import { pageField, selectRows } from '../../parts/pager.ts';
import { type Column, columnForm, table } from '../../parts/table.ts';
import { noValue, untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { Page, PageCall } from '../../ui-route.ts';
import { codeLink } from '../zones/cells.ts';
import {
  importOutcome,
  kindOf,
  partsCell,
  provedCell,
  receiptCell,
  standingBadge,
  stepCell,
  zoneLink,
} from './cells.ts';
import { briefStep } from './steps.ts';

const { page: _page, pageSize: _pageSize, ...choice } = operation.query;
export const listQuery = { ...choice, ...pageField };
type Call = PageCall<QueryOf<typeof listQuery>>;

const names = ['q', 'zone', 'state'];

/** How many deliveries are in each state. */
function answerOf(call: Call, all: readonly KnownDelivery[]): Html {
  const { say, format } = call.words;
  const counts = Map.groupBy(all, standingOf);
  const present = deliveryStates.filter((one) => counts.has(one));
  const states = present.map((one) =>
    say(dossier.stateCount, { n: counts.get(one)!.length, state: say(dossier.states[one]) }),
  );
  const isGood = present.every((one) => kindOf(one) !== 'warn');
  return answer({
    kind: isGood ? 'ok' : 'warn',
    mark: say(isGood ? dossier.stampGood : dossier.stampLook),
    what: say(dossier.count, { count: all.length, states: format.list(states) }),
  });
}

/** The next step, which leads to its section of the page. */
function stepLink(call: Call, delivery: KnownDelivery): Html {
  const brief = briefStep(call, delivery);
  if (brief === undefined) return noValue;
  return html`<a href="${toPath('/deliveries/{delivery}', { delivery: delivery.id })}#steps">${brief}</a>`;
}

/** The columns in which a delivery has something: a source imports none, and a zone writes none. */
function columnsOf(call: Call, all: readonly KnownDelivery[]): readonly Column<KnownDelivery>[] {
  const { say } = call.words;
  const some = (
    has: (one: KnownDelivery) => unknown,
    column: Column<KnownDelivery>,
  ): readonly Column<KnownDelivery>[] => (all.some((one) => has(one) !== undefined) ? [column] : []);
  const isWritten = all.some(({ ledger, sent }) => (ledger?.written ?? sent) !== undefined);
  return [
    {
      label: say(dossier.delivery),
      isHeader: true,
      isWhole: true,
      sort: 'delivery',
      cell: ({ id }) =>
        html`<a href="${toPath('/deliveries/{delivery}', { delivery: id })}">${untrusted(id)}</a>`,
    },
    {
      label: say(dossier.state),
      isState: true,
      sort: 'state',
      cell: (one) =>
        html`${standingBadge(call, one)}${[...new Set(codesOf(one))].map((code) => html` ${codeLink(code)}`)}`,
    },
    { id: 'zone', label: say(dossier.zone), sort: 'zone', cell: ({ zone }) => zoneLink(call, zone) },
    ...some((one) => briefStep(call, one), {
      id: 'next',
      label: say(steps.next),
      cell: (one) => stepLink(call, one),
    }),
    ...some(({ ledger, sent }) => ledger?.written ?? sent, {
      id: 'begun',
      label: say(dossier.begun),
      sort: 'at',
      cell: ({ ledger, sent }) => {
        const end = ledger?.written ?? ledger?.unended;
        const at = sent?.startedAt ?? end?.at;
        if (at === undefined) return noValue;
        return end === undefined ? html`${call.words.format.day(at)}` : stepCell(call, { at, by: end.by });
      },
    }),
    ...some(({ ledger }) => ledger?.received, {
      id: 'received',
      label: say(dossier.received),
      ...(isWritten ? {} : { sort: 'at' }),
      cell: ({ ledger }) => stepCell(call, ledger?.received),
    }),
    { id: 'parts', label: say(dossier.parts), cell: (one) => partsCell(call, one) },
    ...some(({ sent }) => sent?.bytes, {
      id: 'bytes',
      label: say(dossier.bytes),
      isNumber: true,
      sort: 'bytes',
      cell: ({ sent }) => (sent?.bytes === undefined ? noValue : call.words.format.size(sent.bytes)),
    }),
    ...some(({ ledger, sent }) => ledger?.proved ?? sent, {
      id: 'proved',
      label: say(dossier.proved),
      cell: (one) => provedCell(call, one),
    }),
    ...some(({ ledger }) => ledger?.handedOver, {
      id: 'handed',
      label: say(dossier.handedOver),
      cell: ({ ledger }) => stepCell(call, ledger?.handedOver),
    }),
    ...some(({ ledger }) => ledger?.imported, {
      id: 'imported',
      label: say(dossier.imported),
      cell: (one) =>
        html`${stepCell(call, one.ledger?.imported)}${one.ledger?.imported === undefined ? '' : html` ${importOutcome(call, one.ledger.imported, one)}`}`,
    }),
    ...some(({ receipt }) => receipt, {
      id: 'confirmed',
      label: say(dossier.receipt),
      cell: (one) => receiptCell(call, one),
    }),
  ];
}

/** The page `/deliveries`. @throws SVC-CFG-001 without a state folder, SVC-STO-001, SVC-STO-014 */
export async function showDeliveries(call: Call): Promise<Page> {
  const { say } = call.words;
  const known = await listKnownDeliveries(call);
  const all = selectDeliveries(known, call.query);
  const { rows, pages } = selectRows(call, all);
  const zones = [...new Set(known.flatMap(({ zone }) => zone ?? []))].sort();
  const controls = {
    q: dossier.search,
    zone: { label: dossier.zone, suggestions: zones },
    state: { label: dossier.state, words: dossier.states },
    sort: 'kept',
    order: 'kept',
  } as const;
  return {
    title: say(dossier.title),
    lead: say(dossier.lead),
    paper: [],
    sections: [
      {
        id: 'list',
        label: say(parts.results),
        html: html`${all.length === 0 ? '' : html`<div class="list-verdict">${answerOf(call, all)}</div>`}${known.length === 0 ? '' : html`<div class="table-tools">${filters(call, { path: '/deliveries', section: 'list', query: listQuery, controls })}${columnForm(call, 'deliveries')}</div>`}${table<KnownDelivery>(
          {
            caption: say(dossier.title),
            empty: isFiltered(call, names)
              ? nothingMatches(call, '/deliveries', names, controls)
              : html`<p>${say(dossier.none)}</p>`,
            rows,
            list: { call, name: 'deliveries', sort: 'at' },
            columns: columnsOf(call, rows),
          },
        )}${pages}`,
      },
    ],
  };
}
