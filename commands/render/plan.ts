import { escapeText } from '../../src/base/escape.ts';
import { type Language, renderError } from '../../src/base/message.ts';
import { formatByteSize } from '../../src/base/size.ts';
import type { Plan, PlannedRecipe, Problem, VolumeCheck } from '../../src/engine/sync/model.ts';
import { renderTable } from '../cli/print.ts';
import { renderPruneItems } from './prune.ts';

/** Maximum number of ingredients of a recipe that are listed one by one; the rest is summed up. */
const shownItems = 200;

const outcomes: Readonly<Record<Plan['outcome'], string>> = {
  'up-to-date': 'Up to date: nothing to do',
  'changes-planned': 'Changes planned',
  'policy-refused': 'Refused by policy',
  'verification-failed': 'A verification failed',
  failed: 'Failed',
};

const comesWithout: Readonly<Record<Language, (layer: string) => string>> = {
  en: (layer) => `is transferred without layer ${layer}, which the registry does not have`,
  fr: (layer) => `est transféré sans la couche ${layer}, que le registre n’a pas`,
};

/**
 * Renders a plan as text: recipes with their ingredients, totals, volumes, prune, problems, and the outcome
 * last.
 */
export function renderPlan(plan: Plan, language: Language): string {
  const parts = [
    renderHead(plan),
    ...plan.recipes.map((recipe) => renderRecipe(recipe, language)),
    // without a resolved Retriever there are no totals
    plan.recipes.length === 0 && plan.problems.length > 0 ? '' : renderTotals(plan),
    ...plan.checks.map(renderCheck),
    renderPrune(plan),
    renderPolicy(plan),
    renderProblems(plan, language),
    `${outcomes[plan.outcome]}.\n`,
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function renderHead({ source, zone, mode, destination }: Plan): string {
  const how = [
    ...(mode === undefined ? [] : [mode]),
    ...(destination === undefined ? [] : [`promoting into ${destination}`]),
  ].join(', ');
  const name = zone === undefined ? '' : ` for zone ${zone}`;
  return `Plan${escapeText(name)} from ${escapeText(source)}${how === '' ? '' : ` (${escapeText(how)})`}\n`;
}

function renderRecipe(recipe: PlannedRecipe, language: Language): string {
  const { name, requested, resolved, digest, signature, trustScope, ingredients, transferBytes, problem } =
    recipe;
  const version =
    resolved === undefined ? requested : resolved === requested ? resolved : `${requested} -> ${resolved}`;
  const scope = trustScope === undefined ? '' : `, scope ${trustScope}`;
  const news = recipe.signatures === undefined ? '' : ', signatures: new';
  const head = escapeText(`${name} ${version}  [${signature}${scope}${news}]  ${digest ?? ''}`).trimEnd();
  const trouble = problem === undefined ? '' : `  ! ${problem.code}\n`;
  const rows = ingredients
    .slice(0, shownItems)
    .map((item) => [
      `  ${item.name}`,
      item.version,
      [
        item.status,
        ...(item.signatures === undefined ? [] : ['signatures: new']),
        ...(item.destinationStatus === undefined ? [] : [`destination ${item.destinationStatus}`]),
      ].join(' / '),
      formatByteSize(item.transferBytes),
      item.problem === undefined ? item.repository : `${item.repository}  ! ${item.problem.code}`,
    ]);
  const table =
    rows.length === 0 ? '' : renderTable(['  INGREDIENT', 'VERSION', 'STATUS', 'TRANSFER', 'AT'], rows);
  const more = ingredients.length > shownItems ? `  and ${ingredients.length - shownItems} more\n` : '';
  const absent = ingredients.flatMap(({ name: ingredient, absentLayers = [] }) =>
    absentLayers.map((layer) => `  ! ${escapeText(ingredient)} ${comesWithout[language](layer)}\n`),
  );
  return `${head}  ${formatByteSize(transferBytes)} to transfer\n${trouble}${table}${more}${absent.join('')}`;
}

function renderTotals({ totals }: Plan): string {
  const { storeBytes, projectedStoreBytes } = totals;
  const growth =
    storeBytes === projectedStoreBytes
      ? `stays at ${formatByteSize(storeBytes)}`
      : `grows from ${formatByteSize(storeBytes)} to ${formatByteSize(projectedStoreBytes)}`;
  return [
    `${count(totals.recipes, 'recipe')}, ${count(totals.ingredients, 'ingredient')}: ${totals.new} new, ${totals.outdated} outdated, ${totals.upToDate} up to date`,
    `${formatByteSize(totals.transferBytes)} to transfer of ${formatByteSize(totals.totalBytes)}; the store ${growth}`,
    '',
  ].join('\n');
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function renderCheck(check: VolumeCheck): string {
  const { target, path, filesystem, freeBytes, usableBytes, marginPercent, projectedBytes, warnings } = check;
  const refusal =
    check.refusalCode === undefined
      ? ''
      : `  ! ${check.refusalCode}${check.shortfallBytes > 0 ? `: ${formatByteSize(check.shortfallBytes)} short` : ''}`;
  const lines = [
    `Volume of the ${target} ${escapeText(path)} (${escapeText(filesystem.type)}${filesystem.identified ? '' : ', not identified'}): ${formatByteSize(projectedBytes)} needed, ${formatByteSize(usableBytes)} usable of ${formatByteSize(freeBytes)} free (margin ${marginPercent} %)${refusal}`,
    ...warnings.map((warning) => `  warning: ${escapeText(warning)}`),
  ];
  return `${lines.join('\n')}\n`;
}

function renderPrune({ prune }: Plan): string {
  if (!prune.evaluated) {
    return `Prune: not evaluated${prune.reason === undefined ? '' : ` (${escapeText(prune.reason)})`}\n`;
  }
  if (prune.items.length === 0) return 'Prune: nothing would be removed\n';
  const head = `Prune: ${prune.items.length} would be removed, ${formatByteSize(prune.totalBytes)}`;
  return `${head}\n${renderPruneItems(prune.items)}`;
}

function renderPolicy({ policy }: Plan): string {
  const refused = policy.hosts.filter(({ allowed }) => !allowed);
  const lines = [
    ...(policy.allowlistDeclared ? [] : ['Allowlist: not set, every host may be contacted']),
    ...refused.map(({ host, role }) => `Not on the allowlist: ${escapeText(host)} (${escapeText(role)})`),
    ...(policy.unmatchedScopes ?? []).map(
      (name) => `Trust scope ${escapeText(name)}: matches no recipe; check its globs and its position`,
    ),
  ];
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

function renderProblems({ problems }: Plan, language: Language): string {
  return problems
    .map((problem: Problem) => {
      const { what, cause, action } = renderError(problem, language);
      const subject = problem.subject === undefined ? '' : `${escapeText(problem.subject)}: `;
      return `${problem.code} ${subject}${what}\n  ${cause}\n  ${action}\n`;
    })
    .join('');
}
