import { catalogue, type ErrorCode, type ParamValue } from '../../src/base/catalogue.ts';
import { fromErrorRecord } from '../../src/base/error.ts';
import { escapeText } from '../../src/base/escape.ts';
import { type Language, renderError } from '../../src/base/message.ts';
import { formatByteSize } from '../../src/base/size.ts';
import type { MediumReport } from '../../src/catalog/medium-verdict.ts';
import { selectObstacles } from '../../src/engine/medium/report.ts';
import { renderTable } from '../cli/print.ts';

/** Maximum number of findings in the text report; the JSON report lists all. */
const shownFindings = 20;

/** Renders a code of the report as one sentence. */
function describe(code: ErrorCode, params: Readonly<Record<string, ParamValue>>, language: Language): string {
  const { what } = renderError(fromErrorRecord({ code, class: catalogue[code].class, params }), language);
  return `${code}  ${escapeText(what)}`;
}

/** Renders everything that blocks a medium or a recipe of it, one per line; empty when nothing does. */
export function renderObstacles(report: MediumReport, language: Language): string {
  return selectObstacles(report)
    .map(({ code, params }) => {
      const subject = typeof params.recipe === 'string' ? `${escapeText(params.recipe)}: ` : '';
      return `  ${subject}${describe(code, params, language)}\n`;
    })
    .join('');
}

/** Renders the verification report as text. */
export function renderMediumReport(report: MediumReport, language: Language): string {
  const { medium, freshness, checked, recipes, blocks, findings } = report;
  const lines: string[] = [];
  if (medium) {
    lines.push(
      `medium    ${escapeText(medium.mediaId)}, written ${escapeText(medium.writtenAt)} by svc ${escapeText(medium.producedBy.version)}`,
    );
    lines.push(
      `zone      ${escapeText(medium.zone)}${report.zone.match ? '' : ` (this zone is ${report.zone.expected})`}`,
    );
  }
  if (freshness) {
    const last = freshness.recordedAt ? `, last import ${freshness.recordedAt}` : ', no import before';
    lines.push(`resolved  ${escapeText(freshness.resolvedAt)}${last}`);
  }
  lines.push(`checked   ${checked.files} files, ${formatByteSize(checked.bytes)}`);
  const parts = [`${lines.join('\n')}\n`];
  if (recipes.length > 0) {
    const rows = recipes.map((recipe) => [
      `${recipe.name} ${recipe.version}`,
      recipe.pushable ? 'passed' : 'blocked',
      String(recipe.files),
      formatByteSize(recipe.bytes),
      recipe.reason ? `${recipe.reason.code} ${recipe.reason.path ?? ''}`.trim() : '',
    ]);
    parts.push(renderTable(['RECIPE', 'VERDICT', 'FILES', 'SIZE', 'REASON'], rows));
  }
  if (blocks.length > 0) {
    const list = blocks.map(
      (block) => `${describe(block.code, block.params, language)}${block.waived ? ' (waived)' : ''}\n`,
    );
    parts.push(`problems of the medium:\n${list.join('')}`);
  }
  if (findings.length > 0) {
    const list = findings
      .slice(0, shownFindings)
      .map((finding) => `${describe(finding.code, finding.params, language)}\n`);
    const more =
      findings.length > shownFindings
        ? `and ${findings.length - shownFindings} more: see --output json\n`
        : '';
    parts.push(`other findings:\n${list.join('')}${more}`);
  }
  parts.push(`verdict   ${report.verdict === 'pushable' ? 'passed' : report.verdict}\n`);
  return parts.join('\n');
}
