import { foldText } from '../../../../src/base/words.ts';
import { errorCodes } from '../../../../src/text/errors/codes.ts';
import { listAlternatives, toGeneralSentence } from '../../../../src/text/fill.ts';
import { getMessage, type Language } from '../../../../src/text/message.ts';
import { help } from '../../../../src/text/words/help.ts';
import { searchWords } from '../../../../src/text/words/search.ts';
import type { Words } from '../../../../src/text/words/words.ts';
import { type Html, html } from '../../html.ts';
import { marked } from '../../parts/text.ts';
import { families, guides, markNames } from '../help.ts';

/** A place of the help with its words, each after a space. */
interface Entry {
  /** @param q marked in its title */
  readonly toItem: (q: string) => Html;
  readonly head: string;
  readonly rest: string;
  readonly isGuide?: true;
  readonly code?: string;
}

const toSearched = (text: string): string => ` ${foldText(text).replace(/[^\p{L}\p{N}]+/gu, ' ')}`;
/** Letters below which a word says nothing. */
const shortest = 3;

/** The help never changes: read once for each language. */
const known = new Map<Language, readonly Entry[]>();

function readEntries({ say, language }: Words): readonly Entry[] {
  const general = (text: string): string => toSearched(toGeneralSentence(text, language));
  return [
    ...guides.map(([id, title, text]) => ({
      toItem: (q: string) => html`<a href="/help#${id}">${marked(say(title), q)}</a>`,
      head: toSearched(say(title)),
      rest: toSearched(say(text)),
      isGuide: true as const,
    })),
    ...families.map((family) => ({
      toItem: (q: string) => html`<a href="/help#family-${family}">${marked(say(help[family]), q)}</a>`,
      head: toSearched(say(help[family])),
      rest: '',
    })),
    ...errorCodes.map((code) => {
      const { what, cause, action } = getMessage(code, language);
      const [first = ''] = listAlternatives(what, language);
      return {
        code,
        toItem: (q: string) =>
          html`<a href="/help#${code}">${code}</a> <span>${markNames(first, (part) => marked(part, q))}</span>`,
        head: general(what),
        rest: general(`${cause} ${action}`),
      };
    }),
  ];
}

/** Whether a text has a word that begins as this one; a name with digits or signs, such as `zone-c`, is looked for whole. */
function toTest(word: string): (text: string) => boolean {
  const searched = toSearched(word).trimEnd();
  return /^\p{L}+$/u.test(word)
    ? (text) => text.includes(searched)
    : (text) => `${text} `.includes(`${searched} `);
}

/** The words of a question that its answer has, each as the help writes it. */
function toAsked({ say }: Words, q: string): readonly string[] {
  const ofQuestions = new Set(say(searchWords.ofQuestions).split(' '));
  const ofReaders = new Map(
    say(searchWords.ofReaders)
      .split(' ')
      .map((pair) => pair.split('=') as [string, string]),
  );
  return q
    .toLowerCase()
    .split(/[\s'’]+/)
    .map((word) => word.replace(/[^\p{L}\p{N}]+$/u, ''))
    .filter((word) => word !== '' && !ofQuestions.has(word))
    .map((word) => ofReaders.get(word) ?? word);
}

/** The error codes that begin as a text of at least three letters, with or without `SVC-`. */
function findCodes(q: string): readonly string[] {
  const asked = q.toUpperCase();
  if (!/^[A-Z]{3}/.test(asked)) return [];
  return errorCodes.filter((each) => each.startsWith(asked) || each.startsWith(`SVC-${asked}`));
}

/**
 * The error codes that begin as a text, else the places of the help with words that begin as those of a text: guides, then by their title, then by their other sentences.
 *
 * @param how.isBrief whether only titles are looked through, and for a text with a word of at least four letters
 */
export function findHelp(words: Words, q: string, { isBrief = false } = {}): readonly Html[] {
  const entries = known.get(words.language) ?? readEntries(words);
  known.set(words.language, entries);
  const codes = findCodes(q);
  const begun = entries.flatMap(({ code, toItem }) => {
    if (code === undefined || !codes.includes(code)) return [];
    return [isBrief ? html`<a href="/help#${code}">${code}</a>` : toItem(q)];
  });
  // a family alone, such as `med`, is also the beginning of words
  if (begun.length > 0 && (isBrief || q.includes('-'))) return begun;
  const asked = toAsked(words, q);
  const least = isBrief ? shortest + 1 : shortest;
  if (!asked.some((word) => word.length >= least && /\p{L}/u.test(word))) return [];
  const tests = asked.map(toTest);
  const has = (text: string): boolean => tests.every((isIn) => isIn(text));
  const found = entries.filter(({ head, rest }) => has(isBrief ? head : head + rest));
  const rank = ({ head, isGuide }: Entry): number => (isGuide ? 0 : 2) + (has(head) ? 0 : 1);
  return found.sort((a, b) => rank(a) - rank(b)).map(({ toItem }) => toItem(asked.join(' ')));
}
