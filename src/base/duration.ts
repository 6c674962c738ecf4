const units: Readonly<Record<string, number>> = { ms: 1, s: 1e3, m: 6e4, h: 36e5, d: 864e5 };

/**
 * Reads a duration such as `30s`, `15m`, `1h30m` or `0`. A negative duration is accepted, so that a rule can report it.
 *
 * @returns milliseconds, or undefined when the text is not a duration
 */
export function parseDuration(text: string): number | undefined {
  if (text.length > 32) return undefined;
  const trimmed = text.trim();
  if (trimmed === '0') return 0;
  const negative = trimmed.startsWith('-');
  let rest = negative ? trimmed.slice(1) : trimmed;
  if (rest === '') return undefined;
  let total = 0;
  while (rest !== '') {
    const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)/.exec(rest);
    if (!match) return undefined;
    total += Number(match[1]) * units[match[2]!]!;
    rest = rest.slice(match[0].length);
  }
  if (!Number.isSafeInteger(Math.round(total))) return undefined;
  return negative ? -Math.round(total) : Math.round(total);
}

/** How a text that is no duration is written as one: `30d` for `30j`, `15m` for `15 min`; undefined when it cannot be told. */
export function suggestDuration(given: string): string | undefined {
  const plain = given
    .replaceAll(/\s/g, '')
    .replaceAll(/(\d)j(?:ours?)?/g, '$1d')
    .replaceAll(/(\d)min/g, '$1m');
  return parseDuration(given) === undefined && parseDuration(plain) !== undefined ? plain : undefined;
}

/** Formats milliseconds as the configuration writes them: `1h30m`, `30s`, `0s`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds === 0) return '0s';
  if (milliseconds < 0) return `-${formatDuration(-milliseconds)}`;
  let rest = milliseconds;
  let text = '';
  for (const [unit, length] of [
    ['h', 36e5],
    ['m', 6e4],
    ['s', 1e3],
    ['ms', 1],
  ] as const) {
    const count = Math.floor(rest / length);
    rest -= count * length;
    if (count > 0) text += `${count}${unit}`;
  }
  return text;
}
