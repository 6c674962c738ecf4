/**
 * Begins a text with a capital letter, as a heading and a sentence do: parts of a sentence are joined in any order. A name that
 * a page marks as that of others (`isolate.ts`) keeps its letters.
 */
export const startSentence = (text: string): string =>
  text.replace(/^\p{Ll}/u, (first) => first.toUpperCase());
