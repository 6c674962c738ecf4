import { isCertainImage, isLikelyImage, isMeantAsImage } from '../foreign/image-name.ts';

/** An image that a template names, with its line from 1. */
interface Literal {
  readonly image: string;
  readonly line: number;
}

/** Characters of the longest line that is read. */
const longestLine = 1024;
/** Replaces each template action in the text: a value next to one is computed, and not a literal. */
const action = '\u0000';

/**
 * Finds the images in the text of a template that no template action changes. They are after `image:`, in arguments, in
 * variables, or the text of an action. Comments are left out.
 */
export function findLiterals(text: string): readonly Literal[] {
  const found: Literal[] = [];
  const parts: string[] = [];
  let line = 1;
  let end = 0;
  // in one pass: a template may have any number of actions, and one that does not end
  for (let start = text.indexOf('{{'); start >= 0; start = text.indexOf('{{', end)) {
    const close = text.indexOf('}}', start);
    if (close < 0) break;
    line += countBreaks(text.slice(end, start));
    const written = text.slice(start, close + 2);
    const isComment = /^\{\{-?\s*\/\*/.test(written);
    for (const [, image = ''] of isComment ? [] : written.matchAll(/["`]([^"`\s]+)["`]/g))
      if (isCertainImage(image)) found.push({ image, line });
    const breaks = countBreaks(written);
    parts.push(text.slice(end, start), action, '\n'.repeat(breaks));
    line += breaks;
    end = close + 2;
  }
  parts.push(text.slice(end));
  for (const [i, content] of parts.join('').split('\n').entries())
    if (content.length <= longestLine)
      for (const image of findInLine(content)) found.push({ image, line: i + 1 });
  return found.sort((a, b) => a.line - b.line);
}

const countBreaks = (text: string): number => text.split('\n').length - 1;

function findInLine(line: string): readonly string[] {
  const bare = line.replace(/(?:^|\s)#.*$/, '');
  const [, alone] = /^\s*(?:-\s+)?image:\s*["']?([^\s"'{}\u0000]+)["']?\s*$/.exec(bare) ?? [];
  if (alone !== undefined) return [alone];
  const words = bare.split(/[\s"'`,=[\]{}()]+/);
  return words.filter((word, i) =>
    /[iI]mage:$/.test(words[i - 1] ?? '') ? isMeantAsImage(word) : isLikelyImage(word),
  );
}
