import { systemClock } from '../../../../src/base/clock.ts';
import { hashBytes } from '../../../../src/base/digest.ts';
import type { QueryOf } from '../../../../src/contract/operation.ts';
import type { Receipt, ReceiptSummary } from '../../../../src/contract/receipt.ts';
import { escapeText } from '../../../../src/text/escape.ts';
import { receipts } from '../../../../src/text/words/delivering/receipts.ts';
import { parts } from '../../../../src/text/words/parts.ts';
import { findReceipt, type ReceiptRecord } from '../../../../src/view/receipts.ts';
import { type Html, html } from '../../html.ts';
import { answer, badge } from '../../parts/badge.ts';
import { copyable, copyButton } from '../../parts/copy.ts';
import { deliveryLink } from '../../parts/delivery-link.ts';
import { shortDigest } from '../../parts/digest.ts';
import { historyLink } from '../../parts/history-link.ts';
import { pageField, selectRows } from '../../parts/pager.ts';
import { facts, table } from '../../parts/table.ts';
import { moment, noValue, untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import { type Page, type PageCall, page } from '../../ui-route.ts';
import { listFaults, stateMark } from './marks.ts';
import { confirmed, type Named, nameRecipes, recipeLink, textOf } from './recipe-names.ts';

type Call = PageCall<QueryOf<typeof pageField>, { readonly zone: string }>;

/** Bytes of a file that the page has whole. */
const shownBytes = 64 << 10;
/** Confirmed recipes that stand above the list of all. */
const mostNamed = 8;

/** What the receipt is worth, in one sentence. */
function sentenceOf({ words: { say } }: Call, summary: ReceiptSummary, count: number): string {
  const { zone, own, sequence, fork, lower } = summary;
  if (fork !== undefined) return say(receipts.oneForked, { zone, sequence });
  if (lower !== undefined) return say(receipts.oneLowered, { zone, sequence: lower.sequence });
  if (count > 0) return say(receipts.oneDoubtful, { count });
  return say(own ? receipts.oneOwn : receipts.oneBelieved, { zone });
}

/** Whether a base can rest on the receipt; if not, the cause, the consequence and the remedy. */
function answerOf(call: Call, { summary }: ReceiptRecord): Html {
  const { say } = call.words;
  const faults = listFaults(call, summary);
  const count = faults.length;
  const isContradicted = summary.fork !== undefined || summary.lower !== undefined;
  const mark = isContradicted ? receipts.stampContradicted : receipts.stampDoubtful;
  return html`${answer({
    kind: count === 0 ? 'ok' : isContradicted ? 'bad' : 'warn',
    mark: say(count === 0 ? receipts.stampOne : mark),
    what: untrusted(sentenceOf(call, summary, count)),
    step: html`<p class="answer-step"><button type="button" class="button button-plain" data-print>${say(parts.printPage)}</button></p>`,
  })}${faults}`;
}

function factsOf(call: Call, record: ReceiptRecord, named: ReadonlyMap<string, Named>): Html {
  const { summary, kept, signer, keptAt } = record;
  const { words } = call;
  const { say, format } = words;
  const { zone, own, digest, verified, believed, sequence, issuedAt, evidence } = summary;
  const { previous, freshness, lastDelivery, destination, custody } = kept.receipt;
  const { zones } = call.instance.context.config;
  const isPage = zones.some(({ name }) => name === zone);
  const some = <T>(label: string, value: T | undefined, show: (value: T) => Html | string) =>
    value === undefined ? [] : [[label, show(value)] as const];
  return facts([
    [
      say(receipts.zone),
      isPage ? html`<a href="${toPath('/zones/{zone}', { zone })}">${untrusted(zone)}</a>` : untrusted(zone),
    ],
    [say(receipts.sequence), format.number(sequence)],
    [
      say(receipts.issued),
      html`${format.time(issuedAt)} <span class="muted">(${moment(words, issuedAt, true)})</span>`,
    ],
    [say(own ? receipts.written : receipts.kept), format.time(keptAt)],
    [say(receipts.evidence), say(receipts[evidence])],
    [
      say(receipts.recipes),
      confirmed(call, kept.receipt, { believed, named, most: mostNamed, all: '#recipes' }),
    ],
    [say(receipts.digest), copyable(words, digest, say(receipts.digest))],
    [say(receipts.fileDigest), copyable(words, hashBytes(kept.bytes), say(receipts.fileDigest))],
    ...some(
      say(receipts.signer),
      signer,
      (key) =>
        html`${copyable(words, key, say(receipts.signer))} ${own ? '' : badge(verified ? 'ok' : 'bad', say(verified ? receipts.verified : receipts.unverified))}`,
    ),
    ...some(say(receipts.previous), previous, (known) => copyable(words, known, say(receipts.previous))),
    ...some(
      say(receipts.lastDelivery),
      lastDelivery,
      ({ id }) =>
        html`<span class="copyable">${deliveryLink(call, id)}${copyButton(words, id, say(receipts.lastDelivery))}</span>`,
    ),
    ...some(say(receipts.lastMedium), freshness, ({ mediaId, resolvedAt }) =>
      untrusted(say(receipts.mediumLine, { medium: mediaId, time: format.time(resolvedAt) })),
    ),
    ...some(say(receipts.free), destination.freeBytes, (bytes) => format.size(bytes)),
    ...some(
      say(receipts.ledger),
      custody,
      ({ site, seq, head }) =>
        html`${untrusted(say(receipts.ledgerLine, { line: seq, site }))} ${copyable(words, head, say(receipts.ledger))}`,
    ),
  ]);
}

function recipeTable(call: Call, all: Receipt['recipes'], named: ReadonlyMap<string, Named>): Html {
  const { words } = call;
  const { say } = words;
  const { rows, pages } = selectRows(call, all);
  return html`<h2>${say(receipts.recipes)}</h2>${table<Receipt['recipes'][number]>({
    caption: say(receipts.recipes),
    empty: html`<p>${say(receipts.noRecipes)}</p>`,
    rows,
    columns: [
      {
        label: say(receipts.recipe),
        isHeader: true,
        cell: ({ digest, displacedBy }) => {
          const one = named.get(digest);
          const lines = [
            ...(one?.name === undefined ? [] : [shortDigest(words, digest, say(receipts.recipe))]),
            ...(displacedBy === undefined
              ? []
              : [untrusted(say(receipts.displaced, { by: textOf(displacedBy, named.get(displacedBy)) }))]),
          ];
          return html`${recipeLink(call, digest, one)}${lines.map((line) => html` <span class="below">${line}</span>`)}`;
        },
      },
      {
        label: say(receipts.state),
        isState: true,
        cell: ({ state, code }) =>
          html`${stateMark(call, state)}${code === undefined ? '' : html` <a href="/help#${code}">${code}</a>`}`,
      },
      {
        label: say(receipts.missing),
        cell: ({ missing }) => (missing === undefined ? noValue : say(receipts.missingLine, missing)),
      },
    ],
  })}${pages}`;
}

/** The bytes that an auditor verifies again, where the page has room for them. */
function fileOf({ words }: Call, { kept }: ReceiptRecord): Html | string {
  if (kept.bytes.length > shownBytes) return '';
  const text = kept.bytes.toString('utf8');
  const title = words.say(receipts.rawFile);
  return html`<details class="fold"><summary>${title}</summary><div class="command raw"><pre tabindex="0" translate="no"><code>${escapeText(text)}</code></pre>${copyButton(words, text, title)}</div></details>`;
}

/** The page `/receipts/{zone}`: the last receipt of a zone, to be kept or printed. @throws SVC-CFG-001 without a state folder */
async function showReceipt(call: Call): Promise<Page> {
  const { say } = call.words;
  const { zone } = call.path;
  const found = await findReceipt(call.instance.context, zone, systemClock.wall());
  const crumbs = [[say(receipts.title), '/receipts']] as const;
  if (found === undefined)
    return {
      title: zone,
      heading: untrusted(zone),
      crumbs,
      status: 404,
      sections: [{ id: 'receipt', html: html`<div class="empty"><p>${say(receipts.unknownOne)}</p></div>` }],
    };
  const named = await nameRecipes(call, found.kept.receipt.recipes);
  const title = say(receipts.oneTitle, { sequence: found.summary.sequence, zone });
  return {
    title,
    heading: untrusted(title),
    crumbs,
    paper: [],
    sections: [
      { id: 'verdict', html: answerOf(call, found) },
      {
        id: 'receipt',
        html: html`${factsOf(call, found, named)}${historyLink(call, found.summary.digest, { of: title })}`,
      },
      { id: 'recipes', html: recipeTable(call, found.kept.receipt.recipes, named) },
      { id: 'file', html: html`${fileOf(call, found)}` },
    ],
  };
}

export const receiptPage = page({
  method: 'GET',
  path: '/receipts/{zone}',
  floor: 'operator',
  title: receipts.receiptOf,
  query: pageField,
  page: showReceipt,
});
