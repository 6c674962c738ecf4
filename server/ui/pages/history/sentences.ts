import { mostToldApart } from '../../../../src/base/report.ts';
import { type HistoryRecord, isOfMedium } from '../../../../src/contract/history.ts';
import { history, waivedWords, waiverWords } from '../../../../src/text/words/history.ts';
import type { Words } from '../../../../src/text/words/words.ts';
import { type Html, html } from '../../html.ts';

/** A sentence about a record, with the code of an error that it names. */
interface Said {
  readonly text: string;
  readonly codes?: readonly string[];
}

/** Details that the sentence about a sum says. */
const sumDetails = ['further', 'firstAt', 'lastAt', 'targets', 'addresses'];
/** Details that the sentences about a waiver say. */
const waiverDetails = ['step', 'allowStale', 'allowZoneMismatch', 'waived', 'waivers', 'guards'];

/** A sentence for a record that counts events: undefined for any other. */
function sayCounted({ say, format }: Words, { details }: HistoryRecord): string | undefined {
  const { further: count, firstAt, lastAt, targets, addresses } = details;
  if (typeof count !== 'number') return undefined;
  const toTime = (at: unknown): string | undefined =>
    typeof at === 'string' && !Number.isNaN(Date.parse(at)) ? format.time(at) : undefined;
  const [first, last] = [toTime(firstAt), toTime(lastAt)];
  if (last === undefined) return say(history.countedBefore, { count });
  const some = (n: unknown): string | undefined => {
    if (typeof n !== 'number') return undefined;
    return n < mostToldApart ? format.number(n) : say(history.orMore, { n });
  };
  const numbers = { targets: some(targets), addresses: some(addresses) };
  const varied = numbers.targets ?? numbers.addresses;
  return say(history.counted, { count, first: first === last ? undefined : first, last, varied, ...numbers });
}

/** The fault that a waiver accepted, or was to accept where no guard was in the way: empty for other records. */
function sayWaived({ say }: Words, { action, details }: HistoryRecord): readonly Said[] {
  if (action !== 'media.waiver' && action !== 'custody.waived') return [];
  const { waived, guards, waivers } = details;
  const codes = [waived, guards].flat().flatMap((code): readonly Said[] => {
    const isKnown = typeof code === 'string' && Object.hasOwn(waivedWords, code);
    return isKnown ? [{ text: say(waivedWords[code as keyof typeof waivedWords]), codes: [code] }] : [];
  });
  if (codes.length > 0) return codes;
  const asked = ['allowStale', 'allowZoneMismatch'] as const;
  return asked
    .filter((name) => details[name] === true || [waivers].flat().includes(name))
    .map((name) => ({ text: say(waiverWords[name]) }));
}

/** Details that the sentence about a failed proof says. */
const proofDetails = ['findings', 'code'];

/** Why a proof failed: the codes of its findings. */
function sayUnproved({ say }: Words, { action, outcome, details }: HistoryRecord): readonly Said[] {
  if (outcome !== 'failure' || (action !== 'media.prove' && action !== 'custody.proved')) return [];
  const found = [details.findings, details.code].flat();
  const codes = found.filter((code) => typeof code === 'string' && /^SVC-[A-Z]+-\d{3}$/.test(code));
  if (codes.length > 0) return [{ text: say(history.findings), codes: codes as readonly string[] }];
  return 'verdict' in details || 'reason' in details ? [] : [{ text: say(history.noReason) }];
}

/**
 * The sentences of a record, and the details that no sentence has. Every record of an instance names its store: beside
 * an action that is about no medium, it would stand as one.
 */
export function splitDetails(
  words: Words,
  record: HistoryRecord,
): { readonly said: readonly Said[]; readonly details: HistoryRecord['details'] } {
  const [counted, waived] = [sayCounted(words, record), sayWaived(words, record)];
  const unproved = sayUnproved(words, record);
  const isSaid = (name: string): boolean =>
    (name === 'mediaId' && !isOfMedium(record.action)) ||
    (counted !== undefined && sumDetails.includes(name)) ||
    (unproved.some(({ codes }) => codes !== undefined) && proofDetails.includes(name)) ||
    (waived.length > 0 && waiverDetails.includes(name));
  const left = Object.entries(record.details).filter(([name]) => !isSaid(name));
  return {
    said: [...unproved, ...waived, ...(counted === undefined ? [] : [{ text: counted }])],
    details: Object.fromEntries(left),
  };
}

/** A sentence with the links of its codes. */
export const showSaid = ({ text, codes = [] }: Said): Html | string =>
  codes.length === 0
    ? text
    : html`${text} (${codes.map((code, i) => html`${i === 0 ? '' : ', '}<a href="/help#${code}">${code}</a>`)})`;

/** The same as a text. */
export const wordSaid = ({ text, codes = [] }: Said): string =>
  codes.length === 0 ? text : `${text} (${codes.join(', ')})`;
