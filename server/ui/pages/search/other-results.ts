import { hasWords, splitWords } from '../../../../src/base/words.ts';
import type { ZoneBoard } from '../../../../src/contract/zone-board.ts';
import { searchWords } from '../../../../src/text/words/search.ts';
import type { WantedRecipe } from '../../../../src/view/runs.ts';
import { listNamedZones, type NamedZone, type RefusedKey } from '../../../views/find/find-named.ts';
import { isBareVersion, parseWritten } from '../../../views/find/find-names.ts';
import { html } from '../../html.ts';
import { maySeeDeliveries } from '../../parts/delivery-link.ts';
import { shortHex } from '../../parts/digest.ts';
import { marked, untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall, Section } from '../../ui-route.ts';
import { standingBadge } from '../zones/cells.ts';
import { findHelp } from './help-words.ts';
import { findMeantCode } from './identifiers.ts';
import type { Known } from './items.ts';
import { results, shown } from './result-list.ts';
import { missingItem } from './states.ts';

/** The zones that have a page for the reader. */
export const listZones = (call: PageCall): readonly NamedZone[] =>
  listNamedZones(call).filter(
    ({ hasPage, hasReceipts }) => hasPage || (hasReceipts && maySeeDeliveries(call)),
  );

/** The zones with a word of the text in their name, and with its other words in their name or in the titles of their pages. */
export function selectZones(call: PageCall, q: string): readonly NamedZone[] {
  const { say } = call.words;
  const [words, has] = [splitWords(q), hasWords(q)];
  return listZones(call).filter(({ name, hasReceipts }) => {
    const titles = [say(searchWords.zones), ...(hasReceipts ? [say(searchWords.zoneReceipts)] : [])];
    return words.some((word) => name.includes(word)) && has([name, ...titles].join(' '));
  });
}

export const toZone = ({ name, hasPage }: Pick<NamedZone, 'name' | 'hasPage'>): string =>
  hasPage ? toPath('/zones/{zone}', { zone: name }) : '/receipts';

/** The zones with the text in their name: with their page, and with their receipts for those who may open them. */
export function zoneResults(
  call: PageCall,
  boards: readonly ZoneBoard[],
  zones: readonly NamedZone[],
  q: string,
): readonly Section[] {
  const { say } = call.words;
  const items = zones.slice(0, shown).map(({ name, hasPage, hasReceipts }) => {
    const path = toZone({ name, hasPage });
    const receipts =
      hasPage && hasReceipts && maySeeDeliveries(call)
        ? html` <a href="/receipts">${say(searchWords.zoneReceipts)}</a>`
        : '';
    const board = hasPage ? boards.find((one) => one.name === name) : undefined;
    return {
      name: html`<a href="${path}">${marked(name, q)}</a>${receipts}`,
      ...(board === undefined ? {} : { state: standingBadge(call.words, board) }),
    };
  });
  const title = say(searchWords.zones);
  return results(call, { id: 'zones', title, total: zones.length, all: '/zones', items });
}

/** The wanted recipes with this version or this name that are not here: a list of versions has no row for them. */
export function selectMissing({ wanted, recipes }: Known, q: string): readonly WantedRecipe[] {
  const { name, version } = isBareVersion(q) ? { name: undefined, version: q } : parseWritten(q);
  const has = hasWords(q);
  return [...wanted.values()].filter((each) => {
    if (each.standing === 'here') return false;
    if (version !== undefined) return each.version === version && (name ?? each.name) === each.name;
    return has(`${each.name} ${each.version}`) && !recipes.some((known) => known.name === each.name);
  });
}

export function missingResults(
  call: PageCall,
  missing: readonly WantedRecipe[],
  q: string,
): readonly Section[] {
  const items = missing.slice(0, shown).map((each) => missingItem(call, each, q));
  const title = call.words.say(searchWords.missing);
  return results(call, { id: 'missing', title, total: missing.length, all: '/', items });
}

export function refusedResults(call: PageCall, refused: readonly RefusedKey[]): readonly Section[] {
  const { words } = call;
  const { say } = words;
  const items = refused.slice(0, shown).map(({ name, version, fingerprint, task }) => {
    const [path, by] =
      task === undefined
        ? (['/media', say(searchWords.refusedHere)] as const)
        : ([toPath('/tasks/{id}', { id: task }), say(searchWords.refusedBy, { task })] as const);
    return {
      name: html`<a href="${path}">${untrusted(name)}</a>`,
      version: untrusted(version),
      state: shortHex(words, fingerprint, say(searchWords.key)),
      rest: html`<span class="muted">${by}</span>`,
    };
  });
  const title = say(searchWords.refused);
  return results(call, { id: 'refused', title, total: refused.length, all: '/tasks', items });
}

export function helpResults(call: PageCall, q: string): readonly Section[] {
  const found = findHelp(call.words, q);
  const title = call.words.say(searchWords.help);
  const items = found.slice(0, shown).map((name) => ({ name }));
  return results(call, { id: 'help', title, total: found.length, all: '/help', items });
}

/** The error code that the text is meant to be. */
export function meantSection({ words: { say } }: PageCall, q: string): readonly Section[] {
  const code = findMeantCode(q);
  if (code === undefined) return [];
  return [
    { id: 'meant', html: html`<p><a href="/help#${code}">${say(searchWords.meant, { code })}</a></p>` },
  ];
}
