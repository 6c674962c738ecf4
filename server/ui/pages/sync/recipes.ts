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
  return html`<details class="fold"><summary>${untrusted(say(sync.ingredientsOf, { recipe: name }))} <span class="muted">(${format.number(ingredients.length)})</span></summary>
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

/** The name of a recipe, its versions, and the code of the reason for which it is blocked. */
function nameCell(call: PageCall, recipe: PlannedRecipe, told: ReadonlySet<string>): Html {
  const { say } = call.words;
  const { name, requested, resolved, problem, lowerThan } = recipe;
  const versions = html`${untrusted(requested)}${resolved === undefined || resolved === requested ? '' : html` → ${untrusted(resolved)}`}`;
  return html`${untrusted(name)} <span class="muted">${versions}</span>${lowerThan === undefined ? '' : html`<p class="item-warning">${say(sync.lower, { here: lowerThan })}. ${say(sync.lowerHint)}</p>`}
${problem === undefined ? '' : problemLine(call, problem, told)}`;
}

function signatureCell({ words: { say } }: PageCall, recipe: PlannedRecipe): Html {
  const [kind, text] = signatures[recipe.signature];
  const { trustScope, signatures: late } = recipe;
  return html`${badge(kind, say(text))}${trustScope === undefined ? '' : html` <span class="badge">${untrusted(trustScope)}</span>`}${late === undefined ? '' : html` ${badge('running', say(sync.newSignatures))}`}`;
}

/** The bytes that a run transfers for a recipe; of a blocked one, and of one that is here, the word for it. */
function transferCell({ words: { say, format } }: PageCall, recipe: PlannedRecipe): Html | string {
  if (problemsOf(recipe).length > 0) return badge('bad', say(sync.keyRefused));
  return recipe.transferBytes === 0 ? say(sync.upToDate) : format.size(recipe.transferBytes);
}

/**
 * The recipes of a plan, the blocked ones first, and the ingredients of each.
 *
 * @param problems those that the page tells in full already
 */
export function plannedRecipes(
  call: PageCall,
  recipes: readonly PlannedRecipe[],
  problems: readonly PlanProblem[],
): Html | string {
  if (recipes.length === 0) return '';
  const { say, format } = call.words;
  const told = new Set(problems.map(toKey));
  const isBlocked = (recipe: PlannedRecipe): boolean => problemsOf(recipe).length > 0;
  const sorted = [...recipes].sort((a, b) => Number(!isBlocked(a)) - Number(!isBlocked(b)));
  const largest = Math.max(...recipes.map(({ totalBytes }) => totalBytes));
  return html`<h2>${say(sync.recipes)}</h2>${recipeBarKey(call.words)}${table<PlannedRecipe>({
    caption: say(sync.recipes),
    hideCaption: true,
    empty: '',
    rows: sorted,
    columns: [
      { label: say(sync.recipe), isHeader: true, cell: (recipe) => nameCell(call, recipe, told) },
      { label: say(sync.signature), cell: (recipe) => signatureCell(call, recipe) },
      { label: say(sync.transfer), isNumber: true, cell: (recipe) => transferCell(call, recipe) },
      { label: say(sync.size), isNumber: true, cell: ({ totalBytes }) => format.size(totalBytes) },
      {
        label: say(sync.hereAndMissing),
        cell: (recipe) => recipeBar(recipe, { isBlocked: isBlocked(recipe), largest }),
      },
    ],
  })}${sorted.map((recipe) => ingredientTable(call, recipe, told))}`;
}
