/** A text in lower case, without accents: as it is typed in a search. */
export const foldText = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('’', "'").toLowerCase();

/** The words of a text in lower case. */
export const splitWords = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');

/**
 * Makes the test of a filter: whether a text has each word of another one, in any order and without regard to case. A filter
 * without a word is one that every text passes.
 */
export function hasWords(q: string): (text: string) => boolean {
  const words = splitWords(q);
  return (text) => {
    const low = text.toLowerCase();
    return words.every((word) => low.includes(word));
  };
}
