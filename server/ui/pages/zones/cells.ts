import {
  type ZoneBoard,
  type ZoneRecipeState,
  zoneRecipeStates,
} from '../../../../src/contract/zone-board.ts';
import { refusalOf } from '../../../../src/engine/zone/to-carry.ts';
import { zones as text } from '../../../../src/text/words/delivering/zones.ts';
import { parts } from '../../../../src/text/words/parts.ts';
import type { Words } from '../../../../src/text/words/words.ts';
import { countLacking, type Standing, standingOf } from '../../../../src/view/zone/standing.ts';
import { type Html, html } from '../../html.ts';
import { type BadgeKind, badge } from '../../parts/badge.ts';
import { deliveryLink, maySeeDeliveries } from '../../parts/delivery-link.ts';
import { moment, noValue, untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall } from '../../ui-route.ts';
import { isAwaited, isLacking, nameFew, unknownNames } from './words.ts';

export const stateKinds: Readonly<Record<ZoneRecipeState, BadgeKind>> = {
  blocked: 'bad',
  missing: 'bad',
  behind: 'warn',
  'in-transit': 'running',
  unknown: 'plain',
  current: 'ok',
};

/** The place of a recipe in a list that leads with the most urgent state. */
export const urgencyOfRecipe = ({ state }: Pick<ZoneBoard['recipes'][number], 'state'>): number =>
  zoneRecipeStates.indexOf(state);

const standingKinds = {
  lacks: 'bad',
  overdue: 'warn',
  unknown: 'plain',
  awaits: 'running',
  has: 'ok',
} as const satisfies Readonly<Record<Standing, BadgeKind>>;

/** Whether a zone has its recipes, in two words. */
export function standingWords({ say }: Words, board: ZoneBoard): string {
  const standing = standingOf(board);
  return say(text.standings[standing], { count: countLacking(board) });
}

export const standingBadge = (words: Words, board: ZoneBoard): Html =>
  badge(standingKinds[standingOf(board)], standingWords(words, board));

/** Why a zone blocks a recipe, and whether carrying it again helps. */
export const blockedLine = ({ say }: Words, code: string | undefined): Html =>
  html`<div>${say(text.refusals[refusalOf(code)])}</div>`;

/** A code, which leads to its explanation. */
export const codeLink = (code: string): Html => html`<a href="/help#${code}">${code}</a>`;

/** The number of a receipt, which leads to its page for those who may open it. */
function receiptNumber(call: PageCall, zone: string, sequence: number): Html | string {
  const number = call.words.say(text.receiptNumber, { sequence });
  return maySeeDeliveries(call)
    ? html`<a href="${toPath('/receipts/{zone}', { zone })}">${number}</a>`
    : number;
}

/** The last receipt of a zone with its age, and everything that is wrong with it. */
export function receiptCell(call: PageCall, { name, receipt, unbelieved, code }: ZoneBoard): Html {
  const { say } = call.words;
  if (code !== undefined) return html`${badge('bad', say(text.unreadableShort))} ${codeLink(code)}`;
  if (unbelieved !== undefined) {
    const { sequence, issuedAt } = unbelieved;
    // a paragraph: its links are underlined, as in any sentence
    return html`<p>${receiptNumber(call, name, sequence)}${say(text.comma)} ${moment(call.words, issuedAt)} ${badge('bad', say(text.unbelievedShort))} ${codeLink('SVC-RCP-001')}</p>`;
  }
  if (receipt === undefined) return html`<span class="muted">${say(text.noReceipt)}</span>`;
  const { sequence, issuedAt, overdue, via, fork, otherMedium } = receipt;
  return html`<span>${receiptNumber(call, name, sequence)}${say(text.comma)} ${moment(call.words, issuedAt)}</span>${via === undefined ? '' : html` ${untrusted(say(text.via, { via }))}`}${overdue ? html` ${badge('warn', say(text.overdue))}` : ''}${
    otherMedium === undefined
      ? ''
      : html` ${badge('warn', say(text.otherMediumShort))} ${codeLink('SVC-RCP-006')}`
  }${fork === undefined ? '' : html` ${badge('bad', say(text.forkedShort))} ${codeLink('SVC-RCP-003')}`}`;
}

/** The number of recipes in each state, the most urgent first, with the names of the recipes that the zone lacks. */
export function countsCell({ words }: PageCall, board: ZoneBoard): Html {
  const { say, format } = words;
  const { totals, recipes } = board;
  if (recipes.length === 0) return noValue;
  const unknown = unknownNames(words, board);
  const textOf = (state: ZoneRecipeState): string => {
    if (state === 'unknown' && unknown !== undefined)
      return say(text.stateNames, { names: unknown, state: say(text.noVersion) });
    const count = say(text.stateCounts[state], { count: totals[state] });
    if (!isLacking(state)) return count;
    const names = recipes.filter((one) => one.state === state).map(({ name }) => name);
    return `${count}${say(parts.colon)} ${nameFew(format, names)}`;
  };
  const counts = zoneRecipeStates.filter((state) => totals[state] > 0);
  const unsigned = recipes.filter((one) => one.unsigned).map(({ name }) => name);
  return html`<ul class="inline-list">${counts.map(
    (state) => html`<li>${badge(stateKinds[state], textOf(state))}</li>`,
  )}${unsigned.length === 0 ? '' : html`<li>${badge('warn', say(text.unsignedNames, { names: nameFew(format, unsigned) }))}</li>`}</ul>`;
}

/** Deliveries that do not count, with the reason. */
const doubtedList = (call: PageCall, reason: string, list: NonNullable<ZoneBoard['unproved']>): Html =>
  html`<div>${badge('warn', reason)}</div>${list.map(({ id, startedAt }) => html`<div>${deliveryLink(call, id)}${call.words.say(text.comma)} ${moment(call.words, startedAt)}</div>`)}`;

/** The deliveries that no receipt confirms, those without a proof, and those that are not written whole. */
export function deliveriesCell(
  call: PageCall,
  { deliveries, unproved = [], unfinished = [] }: ZoneBoard,
): Html {
  const { say } = call.words;
  if (deliveries.length + unproved.length + unfinished.length === 0) return noValue;
  const doubted = [
    [text.unprovedCount, unproved],
    [text.unfinishedCount, unfinished],
  ] as const;
  return html`${deliveries.map(
    ({ id, parts, startedAt, overdue }) =>
      html`<div>${deliveryLink(call, id)}, ${say(text.deliveryParts, { parts })}${say(text.comma)} ${moment(call.words, startedAt)}${overdue ? html` ${badge('warn', say(text.overdue))}` : ''}</div>`,
  )}${doubted.map(([reason, list]) =>
    list.length === 0 ? '' : doubtedList(call, say(reason, { count: list.length }), list),
  )}`;
}

/** Whether the wanted versions are known, and since when. */
export function wantedCell(call: PageCall, board: ZoneBoard): Html {
  const { words } = call;
  const { state, resolvedAt, code, reading } = board.wanted;
  const running = badge('running', words.say(text.readingShort));
  if (isAwaited(board)) return running;
  const age = html`${moment(words, resolvedAt)}${reading ? html` ${running}` : ''}`;
  // the recipes are those of the reading before the one that failed
  if (state === 'resolved')
    return code === undefined ? age : html`${age} <span class="below">${codeLink(code)}</span>`;
  const isPart = state === 'partial';
  const mark = badge(isPart ? 'warn' : 'bad', words.say(isPart ? text.partialShort : text.unresolvedShort));
  return html`${mark} ${code === undefined ? '' : codeLink(code)} <span class="below">${age}</span>`;
}
