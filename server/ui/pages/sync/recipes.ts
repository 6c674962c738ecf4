import type { ContentStatus } from '../../../../src/contract/common.ts';
import type { PlannedIngredient, PlannedRecipe, PlanProblem } from '../../../../src/contract/plan.ts';
import { fromErrorRecord } from '../../../../src/text/error.ts';
import { renderError } from '../../../../src/text/message.ts';
import { isolate } from '../../../../src/text/words/isolate.ts';
import { sync } from '../../../../src/text/words/sync.ts';
import type { Sentence } from '../../../../src/text/words/words.ts';
import { type Html, html } from '../../html.ts';
import { type BadgeKind, badge } from '../../parts/badge.ts';
import { showSentence } from '../../parts/error.ts';
import { table } from '../../parts/table.ts';
import { code, untrusted } from '../../parts/text.ts';
import { recipeBar, recipeBarKey } from '../../pictures/plan-bars.ts';
import type { PageCall } from '../../ui-route.ts';
import { kindBadge } from '../content/content-words.ts';
import { problemsOf } from './headline.ts';

/** Ingredients of one recipe that a page lists. */
const shownIngredients = 50;

const signatures: Readonly<Record<PlannedRecipe['signature'], readonly [kind: BadgeKind, text: Sentence]>> = {
  verified: ['ok', sync.signed],
  'unsigned-admitted': ['warn', sync.admitted],
  refused: ['bad', sync.signatureRefused],
  'not-evaluated': ['plain', sync.notEvaluated],
};
const statuses: Readonly<Record<ContentStatus, Sentence>> = {
  new: sync.new,
  outdated: sync.outdated,
  'up-to-date': sync.upToDate,
};

const toKey = ({ code, params }: PlanProblem): string => JSON.stringify([code, params]);

/** The message of a problem, with its help; only its code where the page shows the message above. */
function problemLine(
  { words: { language } }: PageCall,
  problem: PlanProblem,
  told: ReadonlySet<string>,
): Html {
  if (told.has(toKey(problem)))
    return html`<p class="item-error"><a href="/help#${problem.code}">${problem.code}</a></p>`;
  return html`<p class="item-error">${showSentence(renderError(fromErrorRecord(problem), language, isolate).what)} <a href="/help#${problem.code}">${problem.code}</a></p>`;
}

function ingredientTable(
  call: PageCall,
  { name, ingredients }: PlannedRecipe,
  told: ReadonlySet<string>,
): Html | string {
  const { say, format } = call.words;
  if (ingredients.length === 0) return '';
  const hidden = ingredients.length - shownIngredients;
  return html`<details class="fold"><summary>${say(sync.ingredients, { count: ingredients.length })}</summary>
${hidden > 0 ? html`<p class="muted">${say(sync.ingredientsMore, { shown: shownIngredients })}</p>` : ''}${table<PlannedIngredient>(
  {
    caption: say(sync.ingredientsOf, { recipe: name }),
    empty: '',
    rows: ingredients.slice(0, shownIngredients),
    columns: [
      {
        label: say(sync.ingredient),
        isHeader: true,
        cell: (ingredient) =>
          html`${untrusted(ingredient.name)}<div class="item-digest muted">${code(ingredient.ref)}</div>${ingredient.problem === undefined ? '' : problemLine(call, ingredient.problem, told)}`,
      },
      { label: say(sync.kind), cell: ({ kind }) => kindBadge(call.words, kind) },
      { label: say(sync.version), cell: ({ version }) => untrusted(version) },
      { label: say(sync.status), cell: ({ status }) => say(statuses[status]) },
      { label: say(sync.transfer), isNumber: true, cell: ({ transferBytes }) => format.size(transferBytes) },
    ],
  },
)}</details>`;
}

function recipeRow(call: PageCall, recipe: PlannedRecipe, told: ReadonlySet<string>): Html {
  const { say } = call.words;
  const { name, requested, resolved, totalBytes, transferBytes, problem, signature, trustScope } = recipe;
  const [kind, text] = signatures[signature];
  const isBlocked = problemsOf(recipe).length > 0;
  const bytes = isBlocked
    ? say(sync.keyRefused)
    : transferBytes === 0
      ? say(sync.recipeHere, { total: totalBytes })
      : say(sync.recipeTransfer, { transfer: transferBytes, total: totalBytes });
  return html`<li class="planned"><div class="planned-head"><h3>${untrusted(name)} <span class="muted">${untrusted(requested)}${resolved === undefined ? '' : html` → ${untrusted(resolved)}`}</span></h3>
<span class="planned-badges">${badge(kind, say(text))}${trustScope === undefined ? '' : html` <span class="badge">${untrusted(trustScope)}</span>`}${recipe.signatures === undefined ? '' : html` ${badge('running', say(sync.newSignatures))}`}${recipe.lowerThan === undefined ? '' : html` ${badge('warn', say(sync.lower, { here: recipe.lowerThan }))}`}</span></div>
${recipe.lowerThan === undefined ? '' : html`<p class="item-warning">${say(sync.lowerHint)}</p>`}
${recipeBar(recipe, isBlocked)}<p class="muted planned-bytes">${bytes}</p>
${problem === undefined ? '' : problemLine(call, problem, told)}${ingredientTable(call, recipe, told)}</li>`;
}

/**
 * The recipes of a plan, the blocked ones first.
 *
 * @param problems those that the page tells in full already
 */
export function plannedRecipes(
  call: PageCall,
  recipes: readonly PlannedRecipe[],
  problems: readonly PlanProblem[],
): Html | string {
  if (recipes.length === 0) return '';
  const told = new Set(problems.map(toKey));
  const sorted = [...recipes].sort(
    (a, b) => Number(problemsOf(a).length === 0) - Number(problemsOf(b).length === 0),
  );
  return html`<h2>${call.words.say(sync.recipes)}</h2>${recipeBarKey(call.words)}<ul class="plan">${sorted.map((recipe) => recipeRow(call, recipe, told))}</ul>`;
}
