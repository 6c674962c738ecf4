import { foldText, splitWords } from '../../../../src/base/words.ts';
import { searchWords } from '../../../../src/text/words/search.ts';
import { words } from '../../../../src/text/words/words.ts';

const ofBoth = (sentence: typeof searchWords.ofQuestions | typeof searchWords.opening): ReadonlySet<string> =>
  new Set(Object.values(words).flatMap(({ say }) => foldText(say(sentence)).split(' ')));

const opening = ofBoth(searchWords.opening);
const dropped = new Set([...opening, ...ofBoth(searchWords.ofQuestions)]);
// without it a state would be its opposite
dropped.delete('non');

/**
 * The subject of a question, in either language; undefined for a text that does not begin as a
 * question, or that has no other words.
 */
export function subjectOf(text: string): string | undefined {
  // manque-t-il, est-ce
  const given = splitWords(
    text.replace(/[?!.\s]+$/, '').replaceAll(/(?<=^|\s)(?:qu|[cdjlmnst])['’]/gi, ' '),
  ).map((word) => word.replace(/-(?:t-)?(?:ce|elles?|ils?|je|on)$/i, ''));
  const [first, ...others] = given.map(foldText);
  if (first === undefined || others.length === 0 || !opening.has(first)) return undefined;
  const kept = given.filter((word) => !dropped.has(foldText(word)));
  return kept.length === 0 ? undefined : kept.join(' ');
}
