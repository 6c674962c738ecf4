import { packEvidence } from '../../../../src/contract/operations/evidence.ts';
import {
  type ZoneBoard,
  type ZoneRecipeState,
  zoneRecipeStates,
} from '../../../../src/contract/zone-board.ts';
import { zones as text } from '../../../../src/text/words/delivering/zones.ts';
import type { Words } from '../../../../src/text/words/words.ts';
import { type Html, html } from '../../html.ts';
import { type BadgeKind, badge } from '../../parts/badge.ts';
import { moment, noValue, untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall } from '../../ui-route.ts';

export const stateKinds: Readonly<Record<ZoneRecipeState, BadgeKind>> = {
  blocked: 'bad',
  missing: 'bad',
  behind: 'warn',
  'in-transit': 'running',
  unknown: 'plain',
  current: 'ok',
};

/** Whether a zone has the recipes that it should have. An overdue receipt still proves a lack, and no longer the presence of a recipe. */
export function standingOf({
  totals,
  recipes,
  code,
  receipt,
}: ZoneBoard): 'unknown' | 'lacks' | 'awaits' | 'has' {
  const lacks = totals.blocked + totals.missing + totals.behind;
  if (code !== undefined || receipt?.fork !== undefined || recipes.length === 0) return 'unknown';
  if (lacks > 0) return 'lacks';
  if (receipt?.overdue) return 'unknown';
  if (totals['in-transit'] > 0) return 'awaits';
  return totals.unknown > 0 ? 'unknown' : 'has';
}

/** What a zone refuses, by the beginning of its code: with it, whether carrying the recipe again helps is known. */
const refusals = [
  [/^SVC-SIG-/, text.blockedBySignature],
  [/^SVC-MED-01[0-4]$|^SVC-(?:FIL|STO)-/, text.blockedByDamage],
  [/^SVC-(?:DST|POL)-/, text.blockedByRule],
] as const;

/** Why a zone blocks a recipe, and whether carrying it again helps; nothing for a code that does not tell. */
export function blockedLine({ say }: Words, code: string | undefined): Html | string {
  const found = refusals.find(([codes]) => codes.test(code ?? ''));
  return found === undefined ? '' : html`<div class="muted">${say(found[1])}</div>`;
}

/** A code, which leads to its explanation. */
export const codeLink = (code: string): Html => html`<a href="/help#${code}">${code}</a>`;

/** The last receipt of a zone with its age, and everything that is wrong with it. */
export function receiptCell({ words }: PageCall, { receipt, code }: ZoneBoard): Html {
  const { say } = words;
  if (code !== undefined) return html`${badge('bad', say(text.unreadableShort))} ${codeLink(code)}`;
  if (receipt === undefined) return html`<span class="muted">${say(text.noReceipt)}</span>`;
  const { sequence, issuedAt, overdue, via, fork, otherMedium } = receipt;
  return html`<span>${say(text.receiptNumber, { sequence })} (${moment(words, issuedAt)})</span>${via === undefined ? '' : html` ${untrusted(say(text.via, { via }))}`}${overdue ? html` ${badge('warn', say(text.overdue))}` : ''}${
    otherMedium === undefined
      ? ''
      : html` ${badge('warn', say(text.otherMediumShort))} ${codeLink('SVC-RCP-006')}`
  }${fork === undefined ? '' : html` ${badge('bad', say(text.forkedShort))} ${codeLink('SVC-RCP-003')}`}`;
}

/** The number of recipes in each state, the most urgent first. */
export function countsCell({ words: { say } }: PageCall, { totals, recipes }: ZoneBoard): Html {
  if (recipes.length === 0) return noValue;
  const counts = zoneRecipeStates.filter((state) => totals[state] > 0);
  return html`<ul class="inline-list">${counts.map(
    (state) =>
      html`<li>${badge(stateKinds[state], say(text.stateCounts[state], { count: totals[state] }))}</li>`,
  )}</ul>`;
}

/** A delivery, with its evidence for those who may pack it. */
export function deliveryLink({ can, instance }: PageCall, id: string): Html {
  return can(packEvidence.floor) && instance.context.config.custody.enabled
    ? html`<a href="${toPath('/evidence', {}, { delivery: id })}">${untrusted(id)}</a>`
    : untrusted(id);
}

/** The deliveries that no receipt confirms. */
export function deliveriesCell(call: PageCall, { deliveries }: ZoneBoard): Html {
  const { say, format } = call.words;
  if (deliveries.length === 0) return noValue;
  return html`${deliveries.map(
    ({ id, parts, startedAt, overdue }) =>
      html`<div>${deliveryLink(call, id)}, ${untrusted(say(text.deliveryLine, { parts, time: format.time(startedAt) }))}${overdue ? html` ${badge('warn', say(text.overdue))}` : ''}</div>`,
  )}`;
}

/** Whether the wanted versions are known, and since when. */
export function wantedCell({ words }: PageCall, { wanted }: ZoneBoard): Html {
  const { state, resolvedAt, code } = wanted;
  const age = moment(words, resolvedAt);
  if (state === 'resolved') return age;
  const isPart = state === 'partial';
  const mark = badge(isPart ? 'warn' : 'bad', words.say(isPart ? text.partialShort : text.unresolvedShort));
  return html`${mark} ${code === undefined ? '' : codeLink(code)} <span class="below">${age}</span>`;
}
