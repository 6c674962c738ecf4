import { diff } from 'node:util';

const context = 2;

/** Longer texts are cut in a report: the rest of a document says little once many lines differ. */
const most = 60;

/**
 * Renders the difference of two texts in the unified format, without line numbers, so that the same change of two texts
 * is rendered alike. @returns nothing for equal texts
 */
export function renderDifference(older: string, newer: string): string {
  const entries = diff(older.split('\n'), newer.split('\n')).map(([operation, line]) => ({
    // an operation leads from the first text to the second: 1 is in the first text only
    sign: operation === 0 ? ' ' : operation === 1 ? '-' : '+',
    line,
  }));
  const near = new Set<number>();
  for (const [at, { sign }] of entries.entries())
    if (sign !== ' ') for (let i = at - context; i <= at + context; i += 1) near.add(i);
  const lines: string[] = [];
  let isCut = true;
  for (const [at, { sign, line }] of entries.entries()) {
    if (!near.has(at)) {
      isCut = true;
      continue;
    }
    if (isCut) lines.push('@@');
    isCut = false;
    lines.push(`${sign}${line}`);
  }
  const left = lines.length - most;
  return (left > 0 ? [...lines.slice(0, most), `(${left} more lines)`] : lines).join('\n');
}
