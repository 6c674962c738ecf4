import { hasWords } from '../../../../src/base/words.ts';
import { field, type QueryOf } from '../../../../src/contract/operation.ts';
import { oneOf, text } from '../../../../src/contract/schema.ts';
import { dossier } from '../../../../src/text/words/delivering/dossier.ts';
import { parts } from '../../../../src/text/words/parts.ts';
import {
  type KnownDelivery,
  listKnownDeliveries,
  type Standing,
  standingOf,
  standings,
} from '../../../views/delivered/known-deliveries.ts';
import { type Html, html } from '../../html.ts';
import { answer } from '../../parts/badge.ts';
import { filters, isFiltered, nothingMatches } from '../../parts/filters.ts';
import { pageField, selectRows } from '../../parts/pager.ts';
import { type Column, table } from '../../parts/table.ts';
import { untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { Page, PageCall } from '../../ui-route.ts';
import {
  kindOf,
  outcomeOf,
  partsCell,
  provedCell,
  receiptCell,
  standingBadge,
  stepCell,
  zoneLink,
} from './cells.ts';

export const listQuery = {
  zone: field(text({ maxLength: 256 }), 'Words of the name of the zone, or parts of them', 'zone-b'),
  state: field(
    oneOf(...standings),
    'Only deliveries in this state; `way` has those that are overdue too',
    'way',
  ),
  ...pageField,
};
type Call = PageCall<QueryOf<typeof listQuery>>;

const names = ['zone', 'state'];

/** How many deliveries are in each state. */
function answerOf(call: Call, all: readonly KnownDelivery[]): Html {
  const { say, format } = call.words;
  const counts = Map.groupBy(all, standingOf);
  const present = standings.filter((one) => counts.has(one));
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

/** The columns in which a delivery has something: a source imports none, and a zone writes none. */
function columnsOf(call: Call, all: readonly KnownDelivery[]): readonly Column<KnownDelivery>[] {
  const { say } = call.words;
  const some = (
    has: (one: KnownDelivery) => unknown,
    column: Column<KnownDelivery>,
  ): readonly Column<KnownDelivery>[] => (all.some((one) => has(one) !== undefined) ? [column] : []);
  return [
    {
      label: say(dossier.delivery),
      isHeader: true,
      isWhole: true,
      cell: ({ id }) =>
        html`<a href="${toPath('/deliveries/{delivery}', { delivery: id })}">${untrusted(id)}</a>`,
    },
    {
      label: say(dossier.state),
      isState: true,
      cell: (one) => standingBadge(call, one),
    },
    { label: say(dossier.zone), cell: ({ zone }) => zoneLink(call, zone) },
    ...some(({ ledger, sent }) => ledger?.written ?? sent, {
      label: say(dossier.written),
      cell: ({ ledger, sent }) => {
        if (ledger?.written !== undefined || sent === undefined) return stepCell(call, ledger?.written);
        return html`${call.words.format.day(sent.startedAt)}`;
      },
    }),
    ...some(({ ledger }) => ledger?.received, {
      label: say(dossier.received),
      cell: ({ ledger }) => stepCell(call, ledger?.received),
    }),
    { label: say(dossier.parts), cell: (one) => partsCell(call, one) },
    ...some(({ ledger, sent }) => ledger?.proved ?? sent, {
      label: say(dossier.proved),
      cell: (one) => provedCell(call, one),
    }),
    ...some(({ ledger }) => ledger?.handedOver, {
      label: say(dossier.handedOver),
      cell: ({ ledger }) => stepCell(call, ledger?.handedOver),
    }),
    ...some(({ ledger }) => ledger?.imported, {
      label: say(dossier.imported),
      cell: ({ ledger }) =>
        html`${stepCell(call, ledger?.imported)}${ledger?.imported === undefined ? '' : html` ${outcomeOf(call, ledger.imported, 'import')}`}`,
    }),
    ...some(({ receipt }) => receipt, {
      label: say(dossier.receipt),
      cell: (one) => receiptCell(call, one),
    }),
  ];
}

/** The page `/deliveries`. @throws SVC-CFG-001 without a state folder, SVC-STO-001, SVC-STO-014 */
export async function showDeliveries(call: Call): Promise<Page> {
  const { say } = call.words;
  const known = await listKnownDeliveries(call);
  const isNamed = hasWords(call.query.zone ?? '');
  const { state } = call.query;
  const isIn = (standing: Standing): boolean =>
    standing === (state ?? standing) || (state === 'way' && standing === 'overdue');
  const all = known.filter((one) => isIn(standingOf(one)) && (!call.query.zone || isNamed(one.zone ?? '')));
  const { rows, pages } = selectRows(call, all);
  const zones = [...new Set(known.flatMap(({ zone }) => zone ?? []))].sort();
  const controls = {
    zone: { label: dossier.zone, suggestions: zones },
    state: { label: dossier.state, words: dossier.states },
    page: 'kept',
  } as const;
  return {
    title: say(dossier.title),
    lead: say(dossier.lead),
    paper: [],
    sections: [
      {
        id: 'list',
        label: say(parts.results),
        html: html`${all.length === 0 ? '' : html`<div class="list-verdict">${answerOf(call, all)}</div>`}${known.length === 0 ? '' : html`<div class="table-tools">${filters(call, { path: '/deliveries', section: 'list', query: listQuery, controls })}</div>`}${table<KnownDelivery>(
          {
            caption: say(dossier.title),
            empty: isFiltered(call, names)
              ? nothingMatches(call, '/deliveries', names, controls)
              : html`<p>${say(dossier.none)}</p>`,
            rows,
            columns: columnsOf(call, rows),
          },
        )}${pages}`,
      },
    ],
  };
}
