import type { Key } from './to-keys.ts';

/** A line of text, split at the cursor. */
export interface TextLine {
  readonly before: string;
  readonly after: string;
}

const segmenter = new Intl.Segmenter();

/** Returns the first grapheme of a text; empty at its end. */
export const firstOf = (text: string): string => segmenter.segment(text).containing(0)?.segment ?? '';
const lastOf = (text: string): string => segmenter.segment(text).containing(text.length - 1)?.segment ?? '';

/** Returns the line after one key. Keys without a meaning in a line are ignored. */
export function editLine(line: TextLine, key: Key): TextLine {
  const { before, after } = line;
  if (typeof key !== 'string') return { before: before + key.text, after };
  const [last, first] = [lastOf(before), firstOf(after)];
  const without = before.slice(0, before.length - last.length);
  switch (key) {
    case 'left':
      return { before: without, after: last + after };
    case 'right':
      return { before: before + first, after: after.slice(first.length) };
    case 'home':
      return { before: '', after: before + after };
    case 'end':
      return { before: before + after, after: '' };
    case 'rub-out':
      return { before: without, after };
    case 'delete':
      return { before, after: after.slice(first.length) };
    case 'cut-before':
      return { before: '', after };
    case 'cut-after':
      return { before, after: '' };
    default:
      return line;
  }
}
