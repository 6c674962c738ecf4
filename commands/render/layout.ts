import type { LayoutImport, LayoutPlan } from '../../src/contract/layout.ts';
import type { LayoutExport } from '../../src/operation/export-layout.ts';
import { isSingular } from '../../src/text/amount.ts';
import { fromErrorRecord } from '../../src/text/error.ts';
import { escapeText } from '../../src/text/escape.ts';
import { fr, type Language, speak } from '../../src/text/language.ts';
import { renderError } from '../../src/text/message.ts';
import { readRule, sayRule } from '../../src/text/rule.ts';
import { formatByteSize } from '../../src/text/size.ts';
import { count, renderOmitted } from './count.ts';

/** Maximum number of lines in the text output; the JSON document lists all. */
const shownLines = 50;

function renderLines(lines: readonly string[], language: Language): string {
  const shown = lines.slice(0, shownLines).map((line) => `  ${line}\n`);
  if (lines.length > shownLines) shown.push(`  ${renderOmitted(lines.length - shownLines, language)}\n`);
  return shown.join('');
}

/** Renders the plan of an export. */
export function renderLayoutPlan(plan: LayoutPlan, language: Language): string {
  const { format, references, manifests, blobs, totalBytes, largestFileBytes } = plan;
  const text = speak(language);
  const entries = count(references.length, 'entry', language);
  const kind =
    format === 'tar'
      ? text('in one archive', fr`dans une archive`)
      : text('in a folder', fr`dans un dossier`);
  const content = [count(manifests, 'manifest', language), count(blobs, 'blob', language)];
  const largest = formatByteSize(largestFileBytes, language);
  return [
    `${entries} ${kind}${text(':', fr` :`)} ${formatByteSize(totalBytes, language)}\n`,
    `${content.join(text(' and ', fr` et `))}${text(', the largest file', fr`, le plus grand fichier :`)} ${largest}\n`,
    renderLines(references.map(escapeText), language),
    renderMissing(plan, language),
    renderRemoved(plan, language),
  ].join('');
}

/** Renders the requested content that is not in the layout; empty when nothing is missing. */
function renderMissing({ missing }: Pick<LayoutPlan, 'missing'>, language: Language): string {
  if (missing.length === 0) return '';
  const text = speak(language);
  const lines = missing.map(({ repository, tag, digest, reason, reasonRule }) => {
    const place = `${repository}${tag === undefined ? '' : `:${tag}`} ${digest.slice(0, 19)}`;
    const found = readRule(reasonRule);
    const why = found === undefined ? reason : sayRule(found, language);
    return escapeText(`${place}${text(': ', fr` : `)}${why}`);
  });
  return `${text('not in the layout:', fr`absent de la disposition :`)}\n${renderLines(lines, language)}`;
}

/** Renders the entries that leave with the replaced layout; empty when none do. */
function renderRemoved({ removed = [] }: Pick<LayoutPlan, 'removed'>, language: Language): string {
  if (removed.length === 0) return '';
  const title = speak(language)(
    'removed with the earlier layout:',
    fr`retiré avec la disposition précédente :`,
  );
  return `${title}\n${renderLines(removed.map(escapeText), language)}`;
}

/** Renders the result of an export: `images.tar: 12 entries, 1.5 GiB`. */
export function renderExport(result: LayoutExport, language: Language): string {
  const entries = count(result.references.length, 'entry', language);
  const colon = speak(language)(': ', fr` : `);
  const summary = `${escapeText(result.output)}${colon}${entries}, ${formatByteSize(result.bytes, language)}`;
  return `${summary}\n${renderMissing(result, language)}${renderRemoved(result, language)}`;
}

/**
 * Renders the result of an import: `12 entries (11 imported, 1 skipped), 1.5 GiB, of which 20 MiB were new`,
 * then the skipped entries.
 */
export function renderImport(result: LayoutImport, language: Language): string {
  const { entries, failed, bytes, movedBytes } = result;
  const text = speak(language);
  const colon = text(': ', fr` : `);
  const lost = entries.flatMap(({ reference, error }) =>
    error === undefined
      ? []
      : [
          escapeText(
            `${reference}${colon}${error.code} ${renderError(fromErrorRecord(error), language).what}`,
          ),
        ],
  );
  const imported = entries.length - failed;
  const plural = (number: number): string => (isSingular(number, language) ? '' : 's');
  const shares =
    failed === 0
      ? ''
      : text(
          ` (${imported} imported, ${failed} skipped)`,
          fr` (${imported} importée${plural(imported)}, ${failed} ignorée${plural(failed)})`,
        );
  const [total, moved] = [formatByteSize(bytes, language), formatByteSize(movedBytes, language)];
  const sizes = text(`${total}, of which ${moved} were new`, fr`${total}, dont ${moved} nouveaux`);
  const summary = `${escapeText(result.input)}${colon}${count(entries.length, 'entry', language)}${shares}`;
  return `${summary}, ${sizes}\n${renderLines(lost, language)}`;
}
