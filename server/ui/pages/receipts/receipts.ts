import { systemClock } from '../../../../src/base/clock.ts';
import { hasWords } from '../../../../src/base/words.ts';
import type { QueryOf } from '../../../../src/contract/operation.ts';
import { addReceipt, listReceipts } from '../../../../src/contract/operations/receipts.ts';
import { listZones } from '../../../../src/contract/operations/zones.ts';
import type { ReceiptSummary } from '../../../../src/contract/receipt.ts';
import { oneOf } from '../../../../src/contract/schema.ts';
import { receipts } from '../../../../src/text/words/delivering/receipts.ts';
import { zones } from '../../../../src/text/words/delivering/zones.ts';
import { parts } from '../../../../src/text/words/parts.ts';
import { listKnownReceipts } from '../../../../src/view/receipts.ts';
import { type Html, html } from '../../html.ts';
import { answer, badge } from '../../parts/badge.ts';
import { curlCommand } from '../../parts/curl.ts';
import { filters, isFiltered, namesOf, nothingMatches } from '../../parts/filters.ts';
import { belowResults, form, submit, textArea } from '../../parts/form.ts';
import { pageField, selectRows } from '../../parts/pager.ts';
import { columnForm, table } from '../../parts/table.ts';
import { terminal, toConfigFlag } from '../../parts/terminal.ts';
import { tableMoment, untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import { action, type Page, type PageCall, page, type UiRoute } from '../../ui-route.ts';
import { listWarnings } from './marks.ts';
import { confirmed, nameRecipes } from './recipe-names.ts';
import { receiptPage } from './show.ts';
import { hasWarning, isDoubtful, listOverdue } from './warned.ts';

/** The filter of receipts. */
const marks = ['warning', 'blocked', 'incomplete'] as const;

/** Parameters of the page: those of the operation, and the filter of its table. */
const parameters = {
  q: listZones.query.q,
  state: { schema: oneOf(...marks) },
  ...listReceipts.query,
  ...pageField,
};

/** The control of each of them. */
const controls = {
  q: zones.search,
  state: { label: zones.state, words: receipts.withMark },
  sort: 'kept',
  order: 'kept',
} as const;
const names = namesOf(controls);
type Call = PageCall<QueryOf<typeof parameters>>;
type Known = Awaited<ReturnType<typeof listKnownReceipts>>[number];

/** Confirmed recipes that a row names. */
const mostNamed = 3;

/** Whether something is wrong with the receipt of a zone. */
type IsWrong = (one: ReceiptSummary) => boolean;

/** Whether the known receipts can be used, and how old the oldest of them is. */
function answerOf(call: Call, all: readonly ReceiptSummary[], isWrong: IsWrong): Html {
  const { say, format } = call.words;
  const doubtful = all.filter(isWrong).length;
  const [oldest = ''] = all.map(({ issuedAt }) => issuedAt).sort();
  return answer({
    kind: doubtful > 0 ? 'warn' : 'ok',
    mark: say(doubtful > 0 ? receipts.stampDoubtful : receipts.stampKnown),
    what:
      doubtful > 0
        ? say(receipts.doubtful, { count: doubtful, total: all.length })
        : say(receipts.allBelieved, { count: all.length, time: format.time(oldest) }),
    step: call.can(addReceipt.floor)
      ? html`<p class="answer-step"><a class="button button-plain" href="#add">${say(receipts.add)}</a></p>`
      : '',
  });
}

/** The receipts that the filter selects. */
function select(
  { query: { q = '', state } }: Call,
  all: readonly Known[],
  isWrong: IsWrong,
): readonly Known[] {
  const isNamed = hasWords(q);
  return all.filter(({ summary }) => {
    if (!isNamed(summary.zone)) return false;
    if (state === undefined) return true;
    return state === 'warning' ? isWrong(summary) : summary.believed && summary.recipes[state] > 0;
  });
}

async function receiptTable(call: Call, all: readonly Known[], overdue: ReadonlySet<string>): Promise<Html> {
  const { words } = call;
  const { say, format } = words;
  const { rows: shown, pages } = selectRows(call, all);
  const receiptOf = new Map(shown.map(({ summary, receipt }) => [summary, receipt]));
  const named = await nameRecipes(
    call,
    shown.flatMap(({ receipt }) => receipt.recipes),
  );
  const rows = shown.map(({ summary }) => summary);
  const isMixed = call.query.sort === undefined && all.some(({ summary }) => hasWarning(summary, overdue));
  return html`${table<ReceiptSummary>({
    caption: say(receipts.title),
    order: isMixed ? say(parts.attentionFirst, { title: say(receipts.title) }) : undefined,
    empty: isFiltered(call, names)
      ? nothingMatches(call, '/receipts', names, controls)
      : html`<p>${say(receipts.none)}</p>`,
    rows,
    // those with a warning lead: no column has this order
    list: { call, name: 'receipts', sort: isMixed ? '' : 'zone' },
    columns: [
      {
        label: say(receipts.zone),
        isHeader: true,
        sort: 'zone',
        cell: ({ zone, own }) =>
          html`<a href="${toPath('/receipts/{zone}', { zone })}">${untrusted(zone)}</a>${own ? html` ${badge('plain', say(receipts.own))}` : ''}`,
      },
      {
        id: 'sequence',
        label: say(receipts.sequence),
        isNumber: true,
        sort: 'sequence',
        cell: ({ sequence }) => format.number(sequence),
      },
      {
        id: 'issued',
        label: say(receipts.issued),
        sort: 'issued',
        isTime: true,
        cell: ({ issuedAt }) => tableMoment(words, issuedAt),
      },
      {
        id: 'evidence',
        label: say(receipts.evidence),
        sort: 'evidence',
        cell: ({ evidence }) => say(receipts[evidence]),
      },
      {
        label: say(receipts.recipes),
        isLead: true,
        sort: 'recipes',
        cell: (one) => {
          const late = overdue.has(one.zone) && !one.own ? [badge('warn', say(zones.overdue))] : [];
          const marks = isDoubtful(one) ? [...listWarnings(call, one), ...late] : late;
          return html`${marks.map((mark) => html`<div>${mark}</div>`)}${confirmed(call, receiptOf.get(one)!, {
            believed: one.believed,
            named,
            most: mostNamed,
            all: `${toPath('/receipts/{zone}', { zone: one.zone })}#recipes`,
          })}`;
        },
      },
    ],
  })}${pages}`;
}

function commands(call: Call): Html {
  const { sort, order } = call.query;
  const note = call.words.say(receipts.requestFile, { receipt: '{"receipt": "…"}' });
  return terminal(
    call.words,
    [
      `svc receipt list${toConfigFlag(call)}`,
      curlCommand(call, 'GET', toPath('/receipts', {}, { sort, order })),
      `svc receipt add zone-b.sigstore.json${toConfigFlag(call)}`,
      curlCommand(call, 'POST', '/receipts', '@request.json'),
    ],
    [note],
  );
}

const addForm = (call: Call): Html => {
  const { say } = call.words;
  const text = textArea(call, {
    name: 'receipt',
    label: say(receipts.receipt),
    required: true,
    rows: 6,
    file: { label: say(receipts.file), accept: '.json,application/json' },
  });
  return form('/receipts', html`${text}${submit(say(receipts.add), { working: say(receipts.adding) })}`, {
    multipart: true,
  });
};

/** The page `/receipts`. @throws SVC-CFG-001 without a state folder */
async function showReceiptsPage(call: Call): Promise<Page> {
  const { say } = call.words;
  const below = (asked: Html): Html =>
    all.length === 0
      ? html`<h2>${say(receipts.add)}</h2>${asked}`
      : belowResults(call, say(receipts.add), asked);
  const known = await listKnownReceipts(call.instance.context, systemClock.wall(), call.query);
  const overdue = await listOverdue(call);
  const isWrong: IsWrong = (one) => hasWarning(one, overdue);
  // those with a warning come first, unless the reader orders the list
  const all =
    call.query.sort === undefined
      ? known.toSorted((a, b) => Number(isWrong(b.summary)) - Number(isWrong(a.summary)))
      : known;
  const summaries = all.map(({ summary }) => summary);
  return {
    title: say(receipts.title),
    lead: say(receipts.lead),
    paper: [],
    sections: [
      ...(all.length === 0 ? [] : [{ id: 'verdict', html: answerOf(call, summaries, isWrong) }]),
      ...(all.length === 0
        ? []
        : [
            {
              id: 'filters',
              html: html`<div class="table-tools">${filters(call, {
                path: '/receipts',
                section: 'list',
                query: parameters,
                controls,
              })}${columnForm(call, 'receipts')}</div>`,
            },
          ]),
      {
        id: 'list',
        label: say(parts.results),
        html: await receiptTable(call, select(call, all, isWrong), overdue),
      },
      ...(call.can(addReceipt.floor) ? [{ id: 'add', html: below(addForm(call)) }] : []),
      { id: 'terminal', html: commands(call) },
    ],
  };
}

export const receiptPages: readonly UiRoute[] = [
  receiptPage,
  page({
    method: 'GET',
    path: '/receipts',
    floor: 'operator',
    title: receipts.title,
    query: parameters,
    page: showReceiptsPage,
  }),
  action(addReceipt, {
    faulty: {
      'SVC-RCP-001': 'receipt',
      'SVC-RCP-002': 'receipt',
      'SVC-RCP-003': 'receipt',
      'SVC-RCP-005': 'receipt',
    },
    path: '/receipts',
    page: '/receipts',
    done: (_call, { receipt: { zone, sequence }, isNew }) => ({
      location: '/receipts',
      said: { text: isNew ? receipts.added : receipts.known, params: { zone, sequence } },
    }),
  }),
];
