import { fromErrorRecord } from '../../src/base/error.ts';
import { escapeText } from '../../src/base/escape.ts';
import { type Language, renderError } from '../../src/base/message.ts';
import { formatByteSize } from '../../src/base/size.ts';
import type { LayoutExport, LayoutPlan } from '../../src/operation/export-layout.ts';
import type { LayoutImport } from '../../src/operation/import-layout.ts';

/** Maximum number of lines in the text output; the JSON document lists all. */
const shownLines = 50;

function renderLines(lines: readonly string[]): string {
  const shown = lines.slice(0, shownLines).map((line) => `  ${line}\n`);
  if (lines.length > shownLines) shown.push(`  and ${lines.length - shownLines} more: see --output json\n`);
  return shown.join('');
}

const count = (number: number, one: string): string => `${number} ${one}${number === 1 ? '' : 's'}`;

/** Renders the plan of an export. */
export function renderLayoutPlan(plan: LayoutPlan): string {
  const { format, references, manifests, blobs, totalBytes, largestFileBytes } = plan;
  const kind = format === 'tar' ? 'one archive' : 'a folder';
  return [
    `${count(references.length, 'entry').replace('entrys', 'entries')} in ${kind}: ${formatByteSize(totalBytes)}\n`,
    `${count(manifests, 'manifest')} and ${count(blobs, 'blob')}, the largest file ${formatByteSize(largestFileBytes)}\n`,
    renderLines(references.map(escapeText)),
    renderMissing(plan),
  ].join('');
}

/** Renders the requested content that is not in the layout; empty when nothing is missing. */
function renderMissing({ missing }: Pick<LayoutPlan, 'missing'>): string {
  if (missing.length === 0) return '';
  const lines = missing.map(({ repository, tag, digest, reason }) =>
    escapeText(`${repository}${tag === undefined ? '' : `:${tag}`} ${digest.slice(0, 19)}: ${reason}`),
  );
  return `not in the layout:\n${renderLines(lines)}`;
}

/** Renders the result of an export: `images.tar: 12 entries, 1.5 GiB`. */
export function renderExport(result: LayoutExport): string {
  const entries = count(result.references.length, 'entry').replace('entrys', 'entries');
  return `${escapeText(result.output)}: ${entries}, ${formatByteSize(result.bytes)}\n${renderMissing(result)}`;
}

/**
 * Renders the result of an import: `12 entries (11 imported, 1 skipped), 1.5 GiB, of which 20 MiB were new`,
 * then the skipped entries.
 */
export function renderImport(result: LayoutImport, language: Language): string {
  const { entries, failed, bytes, movedBytes } = result;
  const total = count(entries.length, 'entry').replace('entrys', 'entries');
  const lost = entries.flatMap(({ reference, error }) =>
    error === undefined
      ? []
      : [escapeText(`${reference}: ${error.code} ${renderError(fromErrorRecord(error), language).what}`)],
  );
  const shares = failed === 0 ? '' : ` (${entries.length - failed} imported, ${failed} skipped)`;
  const sizes = `${formatByteSize(bytes)}, of which ${formatByteSize(movedBytes)} were new`;
  return `${escapeText(result.input)}: ${total}${shares}, ${sizes}\n${renderLines(lost)}`;
}
