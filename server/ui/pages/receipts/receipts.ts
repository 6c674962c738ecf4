import { systemClock } from '../../../../src/base/clock.ts';
import { addReceipt } from '../../../../src/contract/operations/receipts.ts';
import type { ReceiptSummary } from '../../../../src/contract/receipt.ts';
import { receipts } from '../../../../src/text/words/delivering/receipts.ts';
import { showReceipts } from '../../../../src/view/receipts.ts';
import { type Html, html } from '../../html.ts';
import { badge } from '../../parts/badge.ts';
import { curlCommand } from '../../parts/curl.ts';
import { shortDigest } from '../../parts/digest.ts';
import { form, submit, textArea } from '../../parts/form.ts';
import { table } from '../../parts/table.ts';
import { terminal } from '../../parts/terminal.ts';
import { moment, untrusted } from '../../parts/text.ts';
import { action, type Page, type PageCall, type UiRoute } from '../../ui-route.ts';

/** Zones that are listed. */
const mostZones = 200;

function receiptTable({ words }: PageCall, all: readonly ReceiptSummary[]): Html {
  const { say, format } = words;
  const some = (count: number): number | undefined => (count === 0 ? undefined : count);
  const marks = ({ own, believed, fork, fromTheFuture }: ReceiptSummary): Html =>
    html`${own ? html` ${badge('plain', say(receipts.own))}` : ''}${believed ? '' : html` ${badge('bad', say(receipts.unbelieved))}`}${fork === undefined ? '' : html` ${badge('bad', say(receipts.forked))} ${shortDigest(words, fork.refused, say(receipts.refused))} <a href="/help#SVC-RCP-003">SVC-RCP-003</a>`}${fromTheFuture ? html` ${badge('warn', say(receipts.future))}` : ''}`;
  const shown = all.slice(0, mostZones);
  const rest =
    shown.length < all.length
      ? html`<p class="muted">${say(receipts.more, { shown: shown.length, total: all.length })}</p>`
      : '';
  return html`${rest}${table<ReceiptSummary>({
    caption: say(receipts.title),
    empty: html`<p>${say(receipts.none)}</p>`,
    rows: shown,
    columns: [
      {
        label: say(receipts.zone),
        isHeader: true,
        cell: (one) => html`${untrusted(one.zone)}${marks(one)}`,
      },
      { label: say(receipts.sequence), isNumber: true, cell: ({ sequence }) => format.number(sequence) },
      {
        label: say(receipts.issued),
        cell: ({ issuedAt }) => html`${format.time(issuedAt)} (${moment(words, issuedAt)})`,
      },
      { label: say(receipts.evidence), cell: ({ evidence }) => say(receipts[evidence]) },
      {
        label: say(receipts.recipes),
        cell: ({ recipes: { present, incomplete, blocked } }) =>
          say(receipts.counts, { present, incomplete: some(incomplete), blocked: some(blocked) }),
      },
    ],
  })}`;
}

function commands(call: PageCall): Html {
  const note = call.words.say(receipts.requestFile, { receipt: '{"receipt": "…"}' });
  return terminal(
    call.words,
    [
      'svc receipt list',
      curlCommand(call, 'GET', '/receipts'),
      'svc receipt add zone-b.sigstore.json',
      curlCommand(call, 'POST', '/receipts', '@request.json'),
    ],
    [note],
  );
}

/** The page `/receipts`. @throws SVC-CFG-001 without a state folder */
async function showReceiptsPage(call: PageCall): Promise<Page> {
  const { say } = call.words;
  const { receipts: all } = await showReceipts(call.instance.context, systemClock.wall());
  return {
    title: say(receipts.title),
    lead: say(receipts.lead),
    sections: [
      { id: 'list', html: receiptTable(call, all) },
      {
        id: 'add',
        html: html`<h2>${say(receipts.add)}</h2>${form(
          '/receipts',
          html`${textArea(call, {
            name: 'receipt',
            label: say(receipts.receipt),
            required: true,
            rows: 6,
            file: { label: say(receipts.file), accept: '.json,application/json' },
          })}${submit(say(receipts.add), { working: say(receipts.adding) })}`,
          { multipart: true },
        )}`,
      },
      { id: 'terminal', html: commands(call) },
    ],
  };
}

export const receiptPages: readonly UiRoute[] = [
  { method: 'GET', path: '/receipts', floor: 'operator', title: receipts.title, page: showReceiptsPage },
  action(addReceipt, {
    path: '/receipts',
    page: '/receipts',
    done: (_call, { receipt: { zone, sequence }, isNew }) => ({
      location: '/receipts',
      said: { text: isNew ? receipts.added : receipts.known, params: { zone, sequence } },
    }),
  }),
];
