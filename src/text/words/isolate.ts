/**
 * Marks around a text of others inside a sentence: noncharacters, which Unicode keeps for the internal use of a program
 * (The Unicode Standard, section 23.7). Pages turn them into an element; nothing else may show them.
 */
const start = '\ufdd0';
const end = '\ufdd1';

const marks = /[\ufdd0\ufdd1]/g;
const isolated = /\ufdd0([^\ufdd0\ufdd1]*)\ufdd1/;

/** Returns the text without marks. */
export function removeMarks(text: string): string {
  return text.includes(start) || text.includes(end) ? text.replace(marks, '') : text;
}

/** Marks a text as that of others. Marks that it has already count no longer. */
export function isolate(text: string): string {
  return text === '' ? '' : `${start}${removeMarks(text)}${end}`;
}

/** Splits a text at its marks: the parts at odd indexes were marked. No part has a mark. */
export function splitIsolated(text: string): readonly string[] {
  return text.split(isolated).map(removeMarks);
}
