import { catalogue, type ErrorCode, type ParamValue } from '../../src/base/catalogue.ts';
import { fromErrorRecord } from '../../src/base/error.ts';
import { escapeText } from '../../src/base/escape.ts';
import { fr, type Language, type Sentence, say, speak } from '../../src/base/language.ts';
import { renderError } from '../../src/base/message.ts';
import { formatByteSize } from '../../src/base/size.ts';
import type { MediumReport, RecipeVerdict } from '../../src/catalog/medium-verdict.ts';
import { nameRecipe } from '../../src/engine/medium/report.ts';

import { renderTable } from '../cli/print.ts';
import { count, renderOmitted } from '../render/count.ts';

/** Maximum number of findings in the text report; the JSON report lists all. */
const shownFindings = 20;
/** Width of the names at the beginning of a line. */
const nameWidth = 10;

const verdicts: Readonly<Record<MediumReport['verdict'], Sentence>> = {
  pushable: ['passed', fr`validé`],
  partial: ['partial', fr`partiel`],
  blocked: ['blocked', fr`bloqué`],
};

/** Renders a code of the report as one sentence. */
function describe(code: ErrorCode, params: Readonly<Record<string, ParamValue>>, language: Language): string {
  const { what } = renderError(fromErrorRecord({ code, class: catalogue[code].class, params }), language);
  return `${code}  ${escapeText(what)}`;
}

/** Renders everything that blocks a medium or a recipe of it, one per line; empty when nothing does. */
export function renderObstacles({ blocks, recipes }: MediumReport, language: Language): string {
  const colon = speak(language)(': ', fr` : `);
  const ofMedium = blocks
    .filter(({ waived }) => !waived)
    .map(({ code, params }) => `  ${describe(code, params, language)}\n`);
  const ofRecipes = recipes.flatMap((recipe) => {
    if (recipe.reason === undefined) return [];
    const { code, params } = recipe.reason;
    return [`  ${escapeText(nameRecipe(recipe, recipes))}${colon}${describe(code, params, language)}\n`];
  });
  return [...ofMedium, ...ofRecipes].join('');
}

/** Renders the verification report as text. */
export function renderMediumReport(report: MediumReport, language: Language): string {
  const { recipes, blocks, findings } = report;
  const text = speak(language);
  const parts = [renderFacts(report, language)];
  if (recipes.length > 0) parts.push(renderRecipes(recipes, language));
  if (blocks.length > 0) {
    const waived = text(' (waived)', fr` (dérogation)`);
    const list = blocks.map(
      (block) => `${describe(block.code, block.params, language)}${block.waived ? waived : ''}\n`,
    );
    parts.push(`${text('problems of the medium:', fr`problèmes du support :`)}\n${list.join('')}`);
  }
  if (findings.length > 0) {
    const list = findings
      .slice(0, shownFindings)
      .map((finding) => `${describe(finding.code, finding.params, language)}\n`);
    const omitted = findings.length - shownFindings;
    const more = omitted > 0 ? `${renderOmitted(omitted, language)}\n` : '';
    parts.push(`${text('other findings:', fr`autres constats :`)}\n${list.join('')}${more}`);
  }
  parts.push(`${'verdict'.padEnd(nameWidth)}${say(verdicts[report.verdict], language)}\n`);
  return parts.join('\n');
}

/** Renders the identity of the medium and what was read of it. */
function renderFacts({ medium, zone, freshness, checked }: MediumReport, language: Language): string {
  const text = speak(language);
  const lines: [name: string, value: string][] = [];
  if (medium) {
    const { mediaId, writtenAt, producedBy } = medium;
    lines.push([
      text('medium', fr`support`),
      text(
        `${mediaId}, written ${writtenAt} by svc ${producedBy.version}`,
        fr`${mediaId}, écrit le ${writtenAt} par svc ${producedBy.version}`,
      ),
    ]);
    const other = text(` (this zone is ${zone.expected})`, fr` (cette zone est ${zone.expected})`);
    lines.push(['zone', `${medium.zone}${zone.match ? '' : other}`]);
  }
  if (freshness) {
    const { resolvedAt, recordedAt = '' } = freshness;
    const last =
      recordedAt === ''
        ? text(', no import before', fr`, aucun import auparavant`)
        : text(`, last import ${recordedAt}`, fr`, dernier import le ${recordedAt}`);
    lines.push([text('resolved', fr`résolu`), `${resolvedAt}${last}`]);
  }
  const files = count(checked.files, 'file', language);
  lines.push([text('checked', fr`contrôlé`), `${files}, ${formatByteSize(checked.bytes, language)}`]);
  return lines.map(([name, value]) => `${name.padEnd(nameWidth)}${escapeText(value)}\n`).join('');
}

function renderRecipes(recipes: readonly RecipeVerdict[], language: Language): string {
  const text = speak(language);
  const [passed, blocked] = [text('passed', fr`validée`), text('blocked', fr`bloquée`)];
  const rows = recipes.map((recipe) => [
    nameRecipe(recipe, recipes, ' '),
    recipe.pushable ? passed : blocked,
    String(recipe.files),
    formatByteSize(recipe.bytes, language),
    recipe.reason ? `${recipe.reason.code} ${recipe.reason.path ?? ''}`.trim() : '',
  ]);
  const headings = [
    text('RECIPE', fr`RECETTE`),
    'VERDICT',
    text('FILES', fr`FICHIERS`),
    text('SIZE', fr`TAILLE`),
    text('REASON', fr`RAISON`),
  ];
  return renderTable(headings, rows);
}
