interface Challenge {
  /** Lower-case scheme. */
  readonly scheme: string;
  /** Lower-case names. */
  readonly params: Readonly<Record<string, string>>;
}

const isTokenChar = (c: string): boolean => /[!#$%&'*+\-.^_`|~0-9A-Za-z]/.test(c);

/**
 * Parses a `WWW-Authenticate` field with one or more challenges (RFC 9110, section 11.6.1). Invalid parts are
 * left out. Reads at most 8 KiB, in linear time.
 */
export function parseChallenges(field: string | undefined): readonly Challenge[] {
  if (field === undefined) return [];
  const text = field.slice(0, 8192);
  const challenges: { scheme: string; params: Record<string, string> }[] = [];
  let at = 0;
  const skip = (chars: string) => {
    while (at < text.length && chars.includes(text[at]!)) at += 1;
  };
  const token = (): string => {
    const start = at;
    while (at < text.length && isTokenChar(text[at]!)) at += 1;
    return text.slice(start, at);
  };
  const quoted = (): string => {
    let value = '';
    for (at += 1; at < text.length && text[at] !== '"'; at += 1) {
      if (text[at] === '\\') at += 1;
      value += text[at] ?? '';
    }
    at += 1;
    return value;
  };
  while (at < text.length) {
    skip(' \t,');
    const word = token();
    if (word === '') {
      at += 1;
      continue;
    }
    skip(' \t');
    const current = challenges.at(-1);
    if (text[at] === '=' && current !== undefined) {
      at += 1;
      skip(' \t');
      const value = text[at] === '"' ? quoted() : token();
      if (!Object.hasOwn(current.params, word.toLowerCase())) current.params[word.toLowerCase()] = value;
    } else {
      challenges.push({ scheme: word.toLowerCase(), params: Object.create(null) as Record<string, string> });
    }
  }
  return challenges;
}
