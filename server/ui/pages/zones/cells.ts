import {
  type ZoneBoard,
  type ZoneRecipeState,
  zoneRecipeStates,
} from '../../../../src/contract/zone-board.ts';
import { zones as text } from '../../../../src/text/words/delivering/zones.ts';
import type { Words } from '../../../../src/text/words/words.ts';
import { type Html, html } from '../../html.ts';
import { type BadgeKind, badge } from '../../parts/badge.ts';
import { deliveryLink } from '../../parts/delivery-link.ts';
import { noValue, tableMoment, untrusted } from '../../parts/text.ts';
import type { PageCall } from '../../ui-route.ts';

export const stateKinds: Readonly<Record<ZoneRecipeState, BadgeKind>> = {
  blocked: 'bad',
  missing: 'bad',
  behind: 'warn',
  'in-transit': 'running',
  unknown: 'plain',
  current: 'ok',
};

/** Whether the Retriever of a zone is being read for the first time: the wanted recipes are not known yet, and nothing failed. */
export const isAwaited = ({ wanted: { reading, code } }: ZoneBoard): boolean =>
  reading === true && code === 'SVC-SRV-006';

/** Seconds after which a page with a Retriever that is being read asks again. */
export const followEvery = 3;

/** Whether a Retriever of these zones is being read. */
export const isFollowed = (boards: readonly ZoneBoard[]): boolean =>
  boards.some(({ wanted }) => wanted.reading === true);

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

/** Recipes that a sentence names. */
const mostNamed = 3;

/** Names of the recipes of a zone in one state, while they are few. */
function namesOf({ format }: Words, { recipes }: ZoneBoard, state: ZoneRecipeState): string | undefined {
  const found = recipes.filter((one) => one.state === state).map(({ name }) => name);
  return found.length === 0 || found.length > mostNamed ? undefined : format.list(found);
}

/** Names of the few recipes of which no version is known here, where only they are in an unknown state. */
function unknownNames(words: Words, board: ZoneBoard): string | undefined {
  const isWanted = board.recipes.some(({ state, wanted }) => state === 'unknown' && wanted !== undefined);
  return isWanted ? undefined : namesOf(words, board, 'unknown');
}

/** Why it is not known what a zone has. */
function sayUnknown(words: Words, board: ZoneBoard): string {
  const { say, format } = words;
  const { name: zone, code, receipt, wanted, recipes, totals } = board;
  if (code !== undefined) return say(text.saysUnreadable, { zone });
  if (receipt?.fork !== undefined) return say(text.saysForked, { zone, sequence: receipt.sequence });
  if (isAwaited(board)) return say(text.saysReading, { zone });
  if (wanted.state === 'unresolved')
    return say(wanted.code === 'SVC-SRV-006' ? text.saysUnanswered : text.saysUnresolved, { zone });
  if (receipt === undefined) return say(text.saysNoReceipt, { zone });
  if (recipes.length === 0) return say(text.notKnown, { zone });
  if (receipt.overdue) return say(text.saysOverdue, { zone, time: format.day(receipt.issuedAt) });
  const names = unknownNames(words, board);
  return names === undefined
    ? say(text.saysUnknownCount, { zone, count: totals.unknown })
    : say(text.saysUnknownNames, { zone, names });
}

/** The state of a zone as one sentence, without its full stop. */
export function sayZone(words: Words, board: ZoneBoard): string {
  const { say, format } = words;
  const { name: zone, totals, deliveries, receipt } = board;
  const standing = standingOf(board);
  if (standing === 'unknown') return sayUnknown(words, board);
  if (standing === 'lacks') {
    const states = (['blocked', 'missing', 'behind'] as const).filter((state) => totals[state] > 0);
    const count = totals.blocked + totals.missing + totals.behind;
    const which = states.map((state) => {
      const names = count > mostNamed ? undefined : namesOf(words, board, state);
      return names === undefined
        ? say(text.stateCounts[state], { count: totals[state] })
        : say(text.stateNames, { names, state: say(state === 'behind' ? text.inAnother : text[state]) });
    });
    return say(text.zoneLacks, { count, zone, which: which.join(', ') });
  }
  if (standing === 'awaits') {
    const [latest] = deliveries;
    return latest === undefined
      ? say(text.zoneAwaits, { count: totals['in-transit'], zone })
      : say(text.saysUnconfirmed, { zone, time: format.day(latest.startedAt) });
  }
  const time = receipt === undefined ? undefined : format.day(receipt.issuedAt);
  return say(text.zoneHas, { count: totals.current, zone, time });
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
  return found === undefined ? '' : html`<div>${say(found[1])}</div>`;
}

/** A code, which leads to its explanation. */
export const codeLink = (code: string): Html => html`<a href="/help#${code}">${code}</a>`;

/** The last receipt of a zone with its age, and everything that is wrong with it. */
export function receiptCell(call: PageCall, { receipt, code }: ZoneBoard): Html {
  const { say } = call.words;
  if (code !== undefined) return html`${badge('bad', say(text.unreadableShort))} ${codeLink(code)}`;
  if (receipt === undefined) return html`<span class="muted">${say(text.noReceipt)}</span>`;
  const { sequence, issuedAt, overdue, via, fork, otherMedium } = receipt;
  return html`<span>${say(text.receiptNumber, { sequence })}${say(text.comma)} ${tableMoment(call.words, issuedAt)}</span>${via === undefined ? '' : html` ${untrusted(say(text.via, { via }))}`}${overdue ? html` ${badge('warn', say(text.overdue))}` : ''}${
    otherMedium === undefined
      ? ''
      : html` ${badge('warn', say(text.otherMediumShort))} ${codeLink('SVC-RCP-006')}`
  }${fork === undefined ? '' : html` ${badge('bad', say(text.forkedShort))} ${codeLink('SVC-RCP-003')}`}`;
}

/** The number of recipes in each state, the most urgent first; the few whose state is not known by their names. */
export function countsCell({ words }: PageCall, board: ZoneBoard): Html {
  const { say } = words;
  const { totals, recipes } = board;
  if (recipes.length === 0) return noValue;
  const unknown = unknownNames(words, board);
  const textOf = (state: ZoneRecipeState): string =>
    state === 'unknown' && unknown !== undefined
      ? say(text.stateNames, { names: unknown, state: say(text.noVersion) })
      : say(text.stateCounts[state], { count: totals[state] });
  const counts = zoneRecipeStates.filter((state) => totals[state] > 0);
  return html`<ul class="inline-list">${counts.map(
    (state) => html`<li>${badge(stateKinds[state], textOf(state))}</li>`,
  )}</ul>`;
}

/** The deliveries that no receipt confirms. */
export function deliveriesCell(call: PageCall, { deliveries }: ZoneBoard): Html {
  const { say } = call.words;
  if (deliveries.length === 0) return noValue;
  return html`${deliveries.map(
    ({ id, parts, startedAt, overdue }) =>
      html`<div>${deliveryLink(call, id)}, ${say(text.deliveryParts, { parts })}${say(text.comma)} ${tableMoment(call.words, startedAt)}${overdue ? html` ${badge('warn', say(text.overdue))}` : ''}</div>`,
  )}`;
}

/** Whether the wanted versions are known, and since when. */
export function wantedCell(call: PageCall, board: ZoneBoard): Html {
  const { words } = call;
  const { state, resolvedAt, code, reading } = board.wanted;
  const running = badge('running', words.say(text.readingShort));
  if (isAwaited(board)) return running;
  const age = html`${tableMoment(words, resolvedAt)}${reading ? html` ${running}` : ''}`;
  if (state === 'resolved') return age;
  const isPart = state === 'partial';
  const mark = badge(isPart ? 'warn' : 'bad', words.say(isPart ? text.partialShort : text.unresolvedShort));
  return html`${mark} ${code === undefined ? '' : codeLink(code)} <span class="below">${age}</span>`;
}
