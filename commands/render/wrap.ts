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
 * Breaks the lines of a report that are wider than `width` at their spaces. What continues is indented by two more than its
 * line. A longer word, such as a digest, is never broken.
 */
export function fitLines(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => {
      if (line.length <= width) return line;
      const indent = /^ */.exec(line)![0];
      const lines = wrap(line.trimStart(), Math.max(20, width - indent.length - 2));
      return lines.map((each, i) => `${indent}${i === 0 ? '' : '  '}${each}`).join('\n');
    })
    .join('\n');
}
