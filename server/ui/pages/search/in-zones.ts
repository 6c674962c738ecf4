import { hasWords, splitWords } from '../../../../src/base/words.ts';
import type { ZoneBoard, ZoneRecipeState } from '../../../../src/contract/zone-board.ts';
import { zones as text } from '../../../../src/text/words/delivering/zones.ts';
import { searchWords } from '../../../../src/text/words/search.ts';
import { isLate } from '../../../../src/view/zone/standing.ts';
import { html } from '../../html.ts';
import { badge } from '../../parts/badge.ts';
import { marked, untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall, Section } from '../../ui-route.ts';
import { codeLink, standingBadge } from '../zones/cells.ts';
import { selectOfZones, type ZoneRecipe, zoneRecipeBadge } from '../zones/of-recipe.ts';
import { sayLate } from '../zones/words.ts';
import { type Result, results, shown } from './result-list.ts';
import { parseStates, selectOf, ofZones as stateTable } from './state-words.ts';

const toItem = (call: PageCall, { zone, recipe }: ZoneRecipe, q: string): Result => {
  const { name, wanted, requested = '', code } = recipe;
  return {
    name: html`<a href="${toPath('/zones/{zone}', { zone })}">${marked(zone, q)}</a>`,
    version: html`${marked(name, q)} ${untrusted(wanted ?? requested)}`,
    state: zoneRecipeBadge(call, recipe),
    rest: code === undefined ? undefined : codeLink(code),
  };
};

/** The state in each zone of the recipes with a word of the text in their name, and its other words in that of the zone. */
function ofZones(call: PageCall, boards: readonly ZoneBoard[], q: string): readonly Section[] {
  const [words, has] = [splitWords(q), hasWords(q)];
  const found = selectOfZones(
    boards,
    ({ name }, zone) => words.some((word) => name.toLowerCase().includes(word)) && has(`${name} ${zone}`),
  );
  const items = found.slice(0, shown).map((one) => toItem(call, one, q));
  const title = call.words.say(text.inZones);
  return results(call, { id: 'where', title, total: found.length, all: '/zones', items });
}

/** Recipes of zones in the states that a text names; for a text without one, the states of the recipes that it names. */
export function inZonesResults(call: PageCall, boards: readonly ZoneBoard[], q: string): readonly Section[] {
  const asked = parseStates(q);
  if (asked === undefined) return ofZones(call, boards, q);
  const { states, rest } = asked;
  return [
    ...selectOf(stateTable, states).flatMap((state) => zonesInState(call, boards, state, rest)),
    ...(states.includes('overdue') ? lateZones(call, boards, rest) : []),
    ...(states.includes('unverified') ? unsignedInZones(call, boards, rest) : []),
  ];
}

/** The recipes of the zones in a state whose names, or that of the zone, have the words of a text. */
function zonesInState(
  call: PageCall,
  boards: readonly ZoneBoard[],
  state: ZoneRecipeState,
  rest: string,
): readonly Section[] {
  const has = hasWords(rest);
  const found = selectOfZones(
    boards,
    (recipe, zone) => recipe.state === state && has(`${recipe.name} ${zone}`),
  );
  const { say } = call.words;
  return results(call, {
    id: `zones-${state}`,
    title: say(text.stateInZones, { state: say(text[state]) }),
    total: found.length,
    all: toPath('/zones', {}, { state }),
    isFiltered: true,
    items: found.slice(0, shown).map((one) => toItem(call, one, rest)),
  });
}

/** The recipes on their way to zones that carry no signature. */
function unsignedInZones(call: PageCall, boards: readonly ZoneBoard[], rest: string): readonly Section[] {
  const has = hasWords(rest);
  const found = selectOfZones(
    boards,
    (recipe, zone) => recipe.unsigned === true && has(`${recipe.name} ${zone}`),
  );
  return results(call, {
    id: 'zones-unsigned',
    title: call.words.say(searchWords.unsignedInZones),
    total: found.length,
    all: '/zones',
    items: found.slice(0, shown).map((one) => toItem(call, one, rest)),
  });
}

/** The zones of which a receipt or a delivery is overdue. */
function lateZones(call: PageCall, boards: readonly ZoneBoard[], rest: string): readonly Section[] {
  const has = hasWords(rest);
  const found = boards.filter((board) => isLate(board) && has(board.name));
  const items = found.slice(0, shown).map((board) => ({
    name: html`<a href="${toPath('/zones/{zone}', { zone: board.name })}">${marked(board.name, rest)}</a>`,
    state: badge('warn', call.words.say(text.overdue)),
    rest: untrusted(sayLate(call.words, board) ?? ''),
  }));
  const title = call.words.say(searchWords.zonesLate);
  return results(call, { id: 'zones-overdue', title, total: found.length, all: '/zones', items });
}

/** Zones with a word of the text in their name, with their state: the most urgent first. */
export function suggestZones(call: PageCall, boards: readonly ZoneBoard[], q: string): readonly Result[] {
  const has = hasWords(q);
  return boards
    .filter(({ name }) => q.length > 1 && has(name))
    .map((board) => ({
      name: html`<a href="${toPath('/zones/{zone}', { zone: board.name })}">${marked(board.name, q)}</a>`,
      state: standingBadge(call.words, board),
    }));
}
