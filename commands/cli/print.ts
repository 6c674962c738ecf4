import type { Writable } from 'node:stream';
import { escapeJson, escapeText } from '../../src/text/escape.ts';
import { wrap } from '../render/wrap.ts';

export type OutputFormat = 'text' | 'json' | 'yaml';

/** Writes a JSON or YAML document. */
export async function printDocument(
  stdout: Writable,
  document: unknown,
  format: 'json' | 'yaml',
): Promise<void> {
  if (format === 'json') {
    stdout.write(`${escapeJson(JSON.stringify(document, undefined, 2))}\n`);
    return;
  }
  const { renderYaml } = await import('../render/yaml.ts');
  stdout.write(renderYaml(document));
}

/**
 * Renders a table for people: cells are escaped and padded, except the last one of a row. A table that is wider than
 * `width` becomes a list: of each row the first cell, and below it the others with their headings.
 *
 * @param width columns; default: no limit
 */
export function renderTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  width = Number.POSITIVE_INFINITY,
): string {
  const all = [headings, ...rows].map((row) => row.map(escapeText));
  const widths = headings.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const lines = all.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column]!)))
      .join('  ')
      .trimEnd(),
  );
  const fits = lines.every((line) => line.length <= width);
  const shown = fits ? lines : all.slice(1).flatMap((row) => toListed(all[0]!, row, width));
  return shown.map((line) => `${line}\n`).join('');
}

/** The lines of one row of a table that is too wide. */
function toListed(
  [, ...headings]: readonly string[],
  [first = '', ...cells]: readonly string[],
  width: number,
): readonly string[] {
  const pairs = cells.flatMap((cell, i) =>
    // a short value stays on the line of its heading
    cell === ''
      ? []
      : [`${headings[i]?.toLowerCase()} ${cell}`.replace(/ /g, cell.length < 16 ? '\u00a0' : ' ')],
  );
  const below = pairs.length === 0 ? [] : wrap(pairs.join(', '), width - 4);
  const heading = first === '' ? [] : [first];
  return [...heading, ...below.map((line) => `    ${line.replaceAll('\u00a0', ' ')}`)];
}
