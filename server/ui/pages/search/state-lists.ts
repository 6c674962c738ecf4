import { systemClock } from '../../../../src/base/clock.ts';
import { hasWords, splitWords } from '../../../../src/base/words.ts';
import { zones } from '../../../../src/text/words/delivering/zones.ts';
import { searchWords } from '../../../../src/text/words/search.ts';
import type { Sentence } from '../../../../src/text/words/words.ts';
import { type KnownDelivery, listKnownDeliveries } from '../../../../src/view/delivered/known-deliveries.ts';
import { selectDeliveries, toSearched } from '../../../../src/view/delivered/list-deliveries.ts';
import { standingOf } from '../../../../src/view/delivered/standing.ts';
import { listKnownReceipts } from '../../../../src/view/receipts.ts';
import { keepsReceipts } from '../../../views/delivering.ts';
import { findFilesets, type ListedFileset } from '../../../views/filesets.ts';
import { html } from '../../html.ts';
import { maySeeDeliveries } from '../../parts/delivery-link.ts';
import { marked, untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall, Section } from '../../ui-route.ts';
import { standingBadge } from '../deliveries/cells.ts';
import { toFolder } from '../filesets/browse-form.ts';
import { filesetState } from '../filesets/list.ts';
import { hasWarning, listOverdue } from '../receipts/warned.ts';
import { codeLink } from '../zones/cells.ts';
import { type InState, type Result, results, shown } from './result-list.ts';
import {
  ofDeliveries,
  ofFilesets,
  ofReceipts,
  parseStates,
  type State,
  selectOf,
  toPlain,
} from './state-words.ts';

/** FileSets that are looked at. */
const mostFilesets = 200;

const toTitle = ({ words: { say } }: PageCall, list: Sentence, state: Sentence): string =>
  say(searchWords.inState, { list: say(list), state: toPlain(say(state)) });

export function deliveryItem(call: PageCall, delivery: KnownDelivery, q: string): Result {
  const { id, zone = '' } = delivery;
  return {
    name: html`<a href="${toPath('/deliveries/{delivery}', { delivery: id })}">${marked(id, q)}</a>`,
    version: marked(zone, q),
    state: standingBadge(call, delivery),
  };
}

/** The deliveries in each of the states, as their list selects them. */
async function deliveriesIn(
  call: PageCall,
  asked: readonly State[],
  rest: string,
): Promise<readonly InState[]> {
  const names = selectOf(ofDeliveries, asked);
  if (names.length === 0 || !maySeeDeliveries(call)) return [];
  const has = hasWords(rest);
  const known = (await listKnownDeliveries(call)).filter((one) => has(toSearched(one)));
  return names.map((state) => {
    const found = known.filter((one) => standingOf(one) === state);
    return {
      id: `deliveries-${state}`,
      title: toTitle(call, searchWords.deliveries, ofDeliveries.words[state]),
      total: found.length,
      all: toPath('/deliveries', {}, { state }),
      items: found.slice(0, shown).map((one) => deliveryItem(call, one, rest)),
    };
  });
}

type Known = Awaited<ReturnType<typeof listKnownReceipts>>[number];

export const receiptItem = (
  call: PageCall,
  { summary: { zone, sequence, issuedAt } }: Known,
  q: string,
): Result => ({
  name: html`<a href="${toPath('/receipts/{zone}', { zone })}">${marked(zone, q)}</a>`,
  version: call.words.say(zones.receiptNumber, { sequence }),
  rest: html`<span class="muted">${call.words.format.time(issuedAt)}</span>`,
});

/** The receipts with recipes in each of the states; their list judges the warnings. */
async function receiptsIn(
  call: PageCall,
  asked: readonly State[],
  rest: string,
): Promise<readonly InState[]> {
  const names = selectOf(ofReceipts, asked);
  if (names.length === 0 || !maySeeDeliveries(call)) return [];
  const has = hasWords(rest);
  const known = (await listKnownReceipts(call.instance.context, systemClock.wall())).filter(({ summary }) =>
    has(summary.zone),
  );
  const overdue = await listOverdue(call);
  return names.map((state) => {
    const found = known.filter(({ summary }) =>
      state === 'warning' ? hasWarning(summary, overdue) : summary.believed && summary.recipes[state] > 0,
    );
    return {
      id: `receipts-${state}`,
      title: toTitle(call, searchWords.receipts, ofReceipts.words[state]),
      total: found.length,
      all: toPath('/receipts', {}, { state }),
      items: found.slice(0, shown).map((one) => receiptItem(call, one, rest)),
    };
  });
}

export function filesetResult({ words }: PageCall, fileset: ListedFileset, q: string): Result {
  const { name, repository: repo, version: tag, served, error } = fileset;
  const path = served && tag !== undefined ? toFolder({ repo, tag }) : '/filesets';
  return {
    name: html`<a href="${path}">${marked(name, q)}</a>`,
    version: tag === undefined ? undefined : untrusted(tag),
    state: filesetState(words, fileset),
    rest: error === undefined ? undefined : codeLink(error.code),
  };
}

async function filesetsIn(
  call: PageCall,
  asked: readonly State[],
  rest: string,
): Promise<readonly InState[]> {
  const names = selectOf(ofFilesets, asked);
  if (names.length === 0) return [];
  const { selected } = await findFilesets(call, hasWords(rest), mostFilesets);
  return names.map((state) => {
    const found = selected.filter(({ served }) => served === (state === 'served'));
    return {
      id: `filesets-${state}`,
      title: toTitle(call, searchWords.filesets, ofFilesets.words[state]),
      total: found.length,
      all: '/filesets',
      items: found.slice(0, shown).map((one) => filesetResult(call, one, rest)),
    };
  });
}

/** The deliveries, receipts and FileSets in the states, for readers who may open their lists. */
export async function findInLists(
  call: PageCall,
  asked: readonly State[],
  rest: string,
): Promise<readonly InState[]> {
  return [
    ...(await deliveriesIn(call, asked, rest)),
    ...(await receiptsIn(call, asked, rest)),
    ...(await filesetsIn(call, asked, rest)),
  ];
}

const noun = /^(?:deliver(?:y|ies)|livraisons?)$/i;

/** The deliveries with the words of a text in their identifier, their zone or their recipes, beside the word for their kind. */
export async function deliveryResults(call: PageCall, q: string): Promise<readonly Section[]> {
  const rest = splitWords(q)
    .filter((word) => !noun.test(word))
    .join(' ');
  if (rest.length < 2 || !maySeeDeliveries(call) || parseStates(q) !== undefined) return [];
  const found = selectDeliveries(await listKnownDeliveries(call), { q: rest });
  return results(call, {
    id: 'deliveries',
    title: call.words.say(searchWords.deliveries),
    total: found.length,
    all: toPath('/deliveries', {}, { q: rest }),
    items: found.slice(0, shown).map((one) => deliveryItem(call, one, rest)),
  });
}

/** `receipt 8`, `disk 2`: a number beside the word for its thing, in either language. */
const numbered = /^(receipt|re[cç]u|dis[ck]|part|disque|partie)s?\s*(?:no\.?|n°|#)?\s*([0-9]{1,9})$/i;

/** The receipts with a number, and the deliveries with a disk of a number. */
export async function findNumbered(call: PageCall, q: string): Promise<readonly InState[]> {
  const [, word = '', digits = ''] = numbered.exec(q) ?? [];
  if (digits === '' || !maySeeDeliveries(call) || !keepsReceipts(call)) return [];
  const { say } = call.words;
  const number = Number(digits);
  if (/^re/i.test(word)) {
    const known = await listKnownReceipts(call.instance.context, systemClock.wall());
    const found = known.filter(({ summary }) => summary.sequence === number);
    return [
      {
        id: 'receipts-numbered',
        title: say(searchWords.receiptOf, { sequence: number }),
        total: found.length,
        all: '/receipts',
        items: found.slice(0, shown).map((one) => receiptItem(call, one, '')),
      },
    ];
  }
  const found = (await listKnownDeliveries(call)).filter(({ parts = 0 }) => number >= 1 && number <= parts);
  return [
    {
      id: 'deliveries-numbered',
      title: say(searchWords.withDisk, { disk: number }),
      total: found.length,
      all: '/deliveries',
      items: found.slice(0, shown).map((one) => deliveryItem(call, one, '')),
    },
  ];
}
