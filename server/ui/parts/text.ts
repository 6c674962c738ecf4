import { systemClock } from '../../../src/base/clock.ts';
import { splitWords } from '../../../src/base/words.ts';
import { escapeText } from '../../../src/text/escape.ts';
import { actorWords } from '../../../src/text/words/accounts.ts';
import { isolate, splitIsolated } from '../../../src/text/words/isolate.ts';
import { attr, type Html, html, isIdentifier, isLong } from '../html.ts';
import type { PageCall } from '../ui-route.ts';

/** Longest text whose names are kept whole. A longer one is no line of names, and would cost a page too much time. */
const longestSplit = 4096;
/** Longest name that is not broken into lines: it has room on a phone. */
const longestWhole = 24;

/** A part of a path or a sentence, and the slash behind it. */
const part = /([^\s/@]+\/?)/;
const hyphened = /[\p{L}\p{N}]-/u;

const isWhole = (piece: string): boolean =>
  piece.replace('/', '').length <= longestWhole && hyphened.test(piece);

/** A text whose short names are not broken at their hyphens; a longer one breaks between them. */
function withWholeNames(text: string): Html | string {
  const shown = escapeText(text);
  // of a sentence, the values in it are shown as in every sentence
  const [first = '', ...values] = splitIsolated(shown);
  if (values.length > 0)
    return html`${withWholeNames(first)}${values.map((each, i) => (i % 2 === 1 ? withWholeNames(each) : isIdentifier(each) ? isolate(each) : html`<bdi>${withWholeNames(each)}</bdi>`))}`;
  if (text.length > longestSplit || !hyphened.test(shown)) return shown;
  const pieces = shown
    .split(part)
    .map((piece, i) =>
      i % 2 === 1 && isWhole(piece) ? html`<span class="unbroken">${piece}</span>` : piece,
    );
  return html`${pieces}`;
}

/** Isolates a text from the direction of the text beside it; one that nothing breaks may be broken anywhere. */
const isolated = (text: string, shown: Html | string): Html =>
  isLong(text)
    ? html`<bdi translate="no" class="long">${shown}</bdi>`
    : html`<bdi translate="no">${shown}</bdi>`;

/** Text that others chose: names, annotations, log lines. It cannot change the direction of the text beside it. */
export function untrusted(text: string): Html {
  // a whole name needs no element around it but its own
  if (isWhole(text) && !/[\s/@\ufdd0\ufdd1]/.test(text) && escapeText(text) === text)
    return html`<bdi translate="no" class="unbroken">${text}</bdi>`;
  return isolated(text, withWholeNames(text));
}

/** The actor of a record: a word where the program itself acted, else the name of an account or a token. */
export function showActor({ say }: PageCall['words'], actor: string): Html {
  return Object.hasOwn(actorWords, actor)
    ? html`${say(actorWords[actor as keyof typeof actorWords])}`
    : untrusted(actor);
}

/**
 * Text that others chose, with each place marked at which it has a word that was looked for.
 *
 * @param q compared without regard to case; empty marks nothing
 */
export function marked(text: string, q: string): Html {
  const [low, words] = [text.toLowerCase(), splitWords(q)];
  // letters whose lower case has another length would shift the places
  if (words.length === 0 || low.length !== text.length) return untrusted(text);
  const pieces: (Html | string)[] = [];
  let from = 0;
  for (let found = findFirst(low, words, from); found !== undefined; found = findFirst(low, words, from)) {
    pieces.push(withWholeNames(text.slice(from, found.at)));
    from = found.at + found.length;
    pieces.push(html`<mark>${escapeText(text.slice(found.at, from))}</mark>`);
  }
  return isolated(text, html`${pieces}${withWholeNames(text.slice(from))}`);
}

/** The first place of a text at which one of several words is: the longest where several begin. */
function findFirst(
  text: string,
  words: readonly string[],
  from: number,
): { readonly at: number; readonly length: number } | undefined {
  let first: { readonly at: number; readonly length: number } | undefined;
  for (const { length, at } of words.map((word) => ({ length: word.length, at: text.indexOf(word, from) })))
    if (at >= 0 && (first === undefined || at < first.at || (at === first.at && length > first.length)))
      first = { at, length };
  return first;
}

/** A version or a tag: a short one is not broken at a hyphen. */
export function shortVersion(text: string): Html {
  const shown = untrusted(text);
  return text.length > longestWhole ? shown : html`<span class="whole">${shown}</span>`;
}

/** Letters that are written from the right. */
const fromRight = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** A name such as `recipe@version/ingredient`: each part has its own direction, and the parts stay in their order. */
export function untrustedParts(text: string): Html {
  if (!fromRight.test(text)) return untrusted(text);
  return html`${text.split(/([@/])/).map((part, i) => (i % 2 === 0 && part !== '' ? untrusted(part) : part))}`;
}

/** Text for `<title>`, which windows and histories show on one line: cut where it is longer than they show. */
export function toTitle(text: string, limit = 120): string {
  const shown = escapeText(text.slice(0, limit + 1));
  return shown.length > limit ? `${shown.slice(0, limit - 1)}…` : shown;
}

/** A name, path or reference in the type of code: a long one may be broken anywhere, but not in its short names. */
export function code(text: string): Html {
  return text.length <= longestWhole && text.includes('-') && !text.includes(' ')
    ? html`<code class="code unbroken" translate="no">${escapeText(text)}</code>`
    : html`<code class="code" translate="no">${withWholeNames(text)}</code>`;
}

/** Sign for an absent value. An entry of a small screen leaves out the value that has nothing else (cards.css). */
export const noValue: Html = html`<span class="muted none">–</span>`;

/** The day of a moment in a list, with its time and age. */
export function dayOf({ format }: PageCall['words'], at: string): Html {
  return html`<time datetime="${at}" title="${format.time(at)} · ${format.age(at, systemClock.wall())}">${format.day(at)}</time>`;
}

/**
 * A moment as its age, by the clock of the instance; on paper as its time.
 *
 * @param isBeside whether the time stands beside it: then paper has the age too
 */
export function moment(
  { format }: { readonly format: { time(at: string): string; age(at: string, now: number): string } },
  at: string,
  isBeside = false,
): Html {
  return html`<time ${attr('class', isBeside ? undefined : 'age')} datetime="${at}" title="${format.time(at)}">${format.age(at, systemClock.wall())}</time>`;
}

/** A moment in a table: its age, and beside it the day where that is not today; on paper the whole time. */
export function tableMoment({ format }: PageCall['words'], at: string): Html {
  const day = format.day(at);
  return html`${moment({ format }, at)}${day === format.day(systemClock.wall()) ? '' : html` <span class="muted screen-only">(${day})</span>`}`;
}
