import type { Writable } from 'node:stream';
import { escapeText } from '../../src/base/escape.ts';

export type OutputFormat = 'text' | 'json' | 'yaml';

/** Writes a JSON or YAML document. */
export async function printDocument(
  stdout: Writable,
  document: unknown,
  format: 'json' | 'yaml',
): Promise<void> {
  if (format === 'json') {
    stdout.write(`${JSON.stringify(document, undefined, 2)}\n`);
    return;
  }
  const { renderYaml } = await import('../render/yaml.ts');
  stdout.write(renderYaml(document));
}

/** Renders a table for people: cells are escaped and padded, except the last one of a row. */
export function renderTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [headings, ...rows].map((row) => row.map(escapeText));
  const widths = headings.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  return all
    .map((row) =>
      row
        .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column]!)))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}
