import { errorCodes } from '../../../../src/text/errors/codes.ts';
import { toGeneralSentence, toHeading } from '../../../../src/text/fill.ts';
import { getMessage, type Language } from '../../../../src/text/message.ts';
import { help } from '../../../../src/text/words/help.ts';
import type { Words } from '../../../../src/text/words/words.ts';
import { type Html, html } from '../../html.ts';
import { families, guides } from '../help.ts';

/** A place of the help with its words, each after a space. */
interface Entry {
  readonly item: Html;
  readonly head: string;
  readonly rest: string;
}

const toSearched = (text: string): string => ` ${text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')}`;
/** Letters below which a word says nothing. */
const shortest = 3;

/** The help never changes: read once for each language. */
const known = new Map<Language, readonly Entry[]>();

function readEntries({ say, language }: Words): readonly Entry[] {
  const general = (text: string): string => toSearched(toGeneralSentence(text, language));
  return [
    ...guides.map(([id, title, text]) => ({
      item: html`<a href="/help#${id}">${say(title)}</a>`,
      head: toSearched(say(title)),
      rest: toSearched(say(text)),
    })),
    ...families.map((family) => ({
      item: html`<a href="/help#family-${family}">${say(help[family])}</a>`,
      head: toSearched(say(help[family])),
      rest: '',
    })),
    ...errorCodes.map((code) => {
      const { what, cause, action } = getMessage(code, language);
      return {
        item: html`<a href="/help#${code}">${code}</a> <span>${toHeading(what)}</span>`,
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

/** The places of the help with words that begin as those of a text: by their title first, then by their other sentences. */
export function findHelp(words: Words, q: string): readonly Html[] {
  const asked = q.trim().split(/\s+/);
  if (!asked.some((word) => word.length >= shortest && /\p{L}/u.test(word))) return [];
  const entries = known.get(words.language) ?? readEntries(words);
  known.set(words.language, entries);
  const tests = asked.map(toTest);
  const has = (text: string): boolean => tests.every((isIn) => isIn(text));
  const first = entries.filter(({ head }) => has(head));
  const others = entries.filter(({ head, rest }) => !has(head) && has(head + rest));
  return [...first, ...others].map(({ item }) => item);
}
