/** Returns the position after the closing quote of the string literal that begins at `at`. */
function endOfString(text: string, at: number): number {
  let end = at + 1;
  while (end < text.length && text.charCodeAt(end) !== 34) end += text.charCodeAt(end) === 92 ? 2 : 1;
  return end + 1;
}

/**
 * Finds a member name that occurs twice in one object of a JSON text, which JSON itself allows.
 *
 * @param text valid JSON of limited depth
 */
export function findRepeatedMember(text: string): string | undefined {
  // one entry for each open bracket: the names of an object, undefined for an array
  const open: (Set<string> | undefined)[] = [];
  let awaitsName = false;
  for (let i = 0; i < text.length; i += 1) {
    const c = text.charCodeAt(i);
    if (c === 34) {
      const end = endOfString(text, i);
      if (awaitsName) {
        const raw = text.slice(i + 1, end - 1);
        const name = raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw;
        const names = open.at(-1)!;
        if (names.has(name)) return name.slice(0, 100);
        names.add(name);
        awaitsName = false;
      }
      i = end - 1;
    } else if (c === 123) {
      open.push(new Set());
      awaitsName = true;
    } else if (c === 91) {
      open.push(undefined);
      awaitsName = false;
    } else if (c === 125 || c === 93) {
      open.pop();
      awaitsName = false;
    } else if (c === 44) awaitsName = open.at(-1) !== undefined;
  }
  return undefined;
}
