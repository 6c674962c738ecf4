import type { ReceiptSummary, recipeState } from '../../../../src/contract/receipt.ts';
import type { TypeOf } from '../../../../src/contract/schema.ts';
import { receipts } from '../../../../src/text/words/delivering/receipts.ts';
import { type Html, html } from '../../html.ts';
import { type BadgeKind, badge } from '../../parts/badge.ts';
import { shortDigest } from '../../parts/digest.ts';
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
  { believed, fork, lower, fromTheFuture }: ReceiptSummary,
): readonly Html[] {
  const { say } = words;
  return [
    ...(believed ? [] : [badge('bad', say(receipts.unbelieved))]),
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
