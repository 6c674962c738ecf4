import type { ReceiptSummary, recipeState } from '../../../../src/contract/receipt.ts';
import type { TypeOf } from '../../../../src/contract/schema.ts';
import { type Message, svcError } from '../../../../src/text/error.ts';
import type { ErrorCode } from '../../../../src/text/errors/registry.ts';
import { renderError } from '../../../../src/text/message.ts';
import { receipts } from '../../../../src/text/words/delivering/receipts.ts';
import { isolate } from '../../../../src/text/words/isolate.ts';
import { overview } from '../../../../src/text/words/overview.ts';
import { parts } from '../../../../src/text/words/parts.ts';
import { toForkError } from '../../../../src/zone/receipts.ts';
import { type Html, html } from '../../html.ts';
import { type BadgeKind, badge } from '../../parts/badge.ts';
import { copyable } from '../../parts/copy.ts';
import { shortDigest } from '../../parts/digest.ts';
import { showSentence } from '../../parts/error.ts';
import { icon } from '../../parts/icons.ts';
import { facts } from '../../parts/table.ts';
import { noValue } from '../../parts/text.ts';
import type { PageCall } from '../../ui-route.ts';

type RecipeState = TypeOf<typeof recipeState>;

const stateKinds = { blocked: 'bad', incomplete: 'bad', present: 'ok' } as const satisfies Readonly<
  Record<RecipeState, BadgeKind>
>;

export const stateMark = ({ words: { say } }: PageCall, state: RecipeState): Html =>
  badge(stateKinds[state], say(receipts.states[state]));

/** The number of recipes in each state, the most urgent first. */
export function stateCounts({ words: { say } }: PageCall, counts: ReceiptSummary['recipes']): Html {
  const states = (['blocked', 'incomplete', 'present'] as const).filter((state) => counts[state] > 0);
  if (states.length === 0) return noValue;
  return html`<ul class="inline-list">${states.map((state) => html`<li>${badge(stateKinds[state], say(receipts.stateCounts[state], { count: counts[state] }))}</li>`)}</ul>`;
}

/** Why nothing, or less, can rest on a receipt. */
export function listWarnings(
  { words }: PageCall,
  { verified, fork, lower, fromTheFuture }: ReceiptSummary,
): readonly Html[] {
  const { say } = words;
  return [
    ...(verified ? [] : [badge('bad', say(receipts.unbelieved))]),
    ...(fork === undefined
      ? []
      : [
          html`${badge('bad', say(receipts.forked))} <a href="/help#SVC-RCP-003">SVC-RCP-003</a> ${shortDigest(words, fork.refused, say(receipts.refused))}`,
        ]),
    ...(lower === undefined
      ? []
      : [
          html`${badge('bad', say(receipts.lowered, { sequence: lower.sequence }))} <a href="/help#SVC-RCP-002">SVC-RCP-002</a> ${shortDigest(words, lower.refused, say(receipts.refused))}`,
        ]),
    ...(fromTheFuture ? [badge('warn', say(receipts.future))] : []),
  ];
}

/** The reason why less rests on a receipt. */
type Doubts = Pick<ReceiptSummary, 'zone' | 'sequence' | 'verified' | 'fork' | 'lower' | 'fromTheFuture'>;

interface Fault extends Message {
  readonly kind: 'bad' | 'warn';
  readonly code?: ErrorCode;
  /** Digest of the receipt that was refused. */
  readonly refused?: string;
}

/** Every reason why less rests on a receipt, as the sentences of an error. */
function faultsOf({ words }: PageCall, summary: Doubts): readonly Fault[] {
  const { say, language } = words;
  const { zone, sequence, verified, fork, lower, fromTheFuture } = summary;
  const render = (error: Parameters<typeof renderError>[0]): Message => renderError(error, language, isolate);
  return [
    ...(fork === undefined
      ? []
      : [
          {
            ...render(toForkError(zone, fork, { last: sequence })),
            kind: 'bad' as const,
            code: 'SVC-RCP-003' as const,
            refused: fork.refused,
          },
        ]),
    ...(lower === undefined
      ? []
      : [
          {
            ...render(svcError('SVC-RCP-002', { zone, sequence: lower.sequence, known: sequence })),
            cause: say(receipts.lowerCause),
            kind: 'bad' as const,
            code: 'SVC-RCP-002' as const,
            refused: lower.refused,
          },
        ]),
    ...(verified
      ? []
      : [
          {
            what: say(overview.unbelievedWhy),
            cause: say(receipts.unbelievedCause),
            action: say(overview.unbelievedStep),
            kind: 'bad' as const,
            code: 'SVC-RCP-001' as const,
          },
        ]),
    ...(fromTheFuture
      ? [
          {
            what: say(overview.futureWhy),
            cause: say(receipts.futureCause),
            action: say(overview.futureStep),
            kind: 'warn' as const,
          },
        ]
      : []),
  ];
}

/** A panel for each reason why less rests on a receipt: the cause, the consequence, and what to do. */
export function listFaults(call: PageCall, summary: Doubts): readonly Html[] {
  const { words } = call;
  const { say } = words;
  return faultsOf(call, summary).map(
    ({ kind, what, cause, action, code, refused }) =>
      html`<div class="${kind === 'bad' ? 'error' : 'note note-warn'}">${icon(kind)}<div class="error-text"><p class="error-what">${showSentence(what)}</p>${facts(
        [
          [say(parts.errorCause), cause],
          ...(kind === 'bad' ? [[say(receipts.consequence), say(receipts.noBase)] as const] : []),
          [say(parts.errorAction), action],
          ...(refused === undefined
            ? []
            : [[say(receipts.refusedOne), copyable(words, refused, say(receipts.refused))] as const]),
        ],
      )}${code === undefined ? '' : html`<p class="error-foot"><a href="/help#${code}">${say(parts.errorHelp, { code })}</a></p>`}</div></div>`,
  );
}
