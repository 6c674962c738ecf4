import { escapeText } from '../../src/text/escape.ts';

/** Breaks a text at its spaces into lines of at most `width` columns. A longer word has a line of its own. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/**
 * Breaks the lines of a report that are wider than `width` at their spaces. Continued lines are indented by two more. A
 * longer word, such as a digest, is never broken. Control characters are escaped: a report can name values of a peer.
 */
export function fitLines(text: string, width: number): string {
  return text
    .split('\n')
    .map((raw) => {
      const line = raw.split('\t').map(escapeText).join('\t');
      if (line.length <= width) return line;
      const indent = /^ */.exec(line)![0];
      const lines = wrap(line.trimStart(), Math.max(20, width - indent.length - 2));
      return lines.map((each, i) => `${indent}${i === 0 ? '' : '  '}${each}`).join('\n');
    })
    .join('\n');
}
