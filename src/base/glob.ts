/**
 * Matches globs without building a RegExp: `*` stays within a segment, `**` crosses separators, all else is literal.
 * Time is at most the product of the two lengths.
 *
 * @param separator the character that ends a segment: `/` for paths, `.` for host names
 */
export function matchGlob(pattern: string, text: string, separator: string): boolean {
  // row[j]: the pattern read so far matches the first j characters of the text
  let row = new Uint8Array(text.length + 1);
  row[0] = 1;
  for (let i = 0; i < pattern.length; i += 1) {
    const next = new Uint8Array(text.length + 1);
    if (pattern[i] === '*') {
      const crosses = pattern[i + 1] === '*';
      if (crosses) i += 1;
      let open = 0;
      for (let j = 0; j <= text.length; j += 1) {
        if (j > 0 && open && !crosses && text[j - 1] === separator) open = 0;
        if (row[j]) open = 1;
        next[j] = open;
      }
    } else {
      for (let j = 0; j < text.length; j += 1) if (row[j] && text[j] === pattern[i]) next[j + 1] = 1;
    }
    row = next;
  }
  return row[text.length] === 1;
}
