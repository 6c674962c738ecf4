import type { ContentStatus } from '../../../../src/contract/common.ts';
import type { PlannedIngredient, PlannedRecipe } from '../../../../src/contract/plan.ts';
import { parts } from '../../../../src/text/words/parts.ts';
import { sync } from '../../../../src/text/words/sync.ts';
import type { Sentence } from '../../../../src/text/words/words.ts';
import { attr, type Html, html } from '../../html.ts';
import { type BadgeKind, badge } from '../../parts/badge.ts';
import { errorLine } from '../../parts/error.ts';
import { table } from '../../parts/table.ts';
import { code, untrusted } from '../../parts/text.ts';
import { recipeBar, recipeBarKey } from '../../pictures/plan-bars.ts';
import type { PageCall } from '../../ui-route.ts';
import { kindBadge } from '../content/content-words.ts';
import { problemsOf } from './headline.ts';

/** Ingredients of one recipe that a page lists. */
const shownIngredients = 50;
/** Reasons that stand beside one recipe. */
const shownReasons = 3;

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

/** The first reasons for which a recipe is blocked, each with the ingredient that has it. */
export function reasonLines({ words }: PageCall, { problem, ingredients }: PlannedRecipe): readonly Html[] {
  const own = problem === undefined ? [] : [errorLine(words, problem)];
  const failed = ingredients.flatMap(({ name, problem: reason }) =>
    reason === undefined
      ? []
      : [html`<strong>${untrusted(name)}</strong>${words.say(parts.colon)} ${errorLine(words, reason)}`],
  );
  const lines = [...own, ...failed];
  const rest = lines.length - shownReasons;
  const more = rest > 0 ? [html`${words.say(sync.reasonsMore, { count: rest })}`] : [];
  return [...lines.slice(0, shownReasons), ...more];
}

/** The ingredients of a recipe: those that fail come first, and are shown without a click. */
function ingredientTable(call: PageCall, { name, ingredients }: PlannedRecipe): Html | string {
  const { words } = call;
  const { say, format } = words;
  if (ingredients.length === 0) return '';
  const hidden = ingredients.length - shownIngredients;
  const sorted = ingredients.toSorted(
    (a, b) => Number(a.problem === undefined) - Number(b.problem === undefined),
  );
  return html`<details class="fold" ${attr('open', sorted[0]?.problem !== undefined)}><summary>${untrusted(say(sync.ingredientsOf, { recipe: name }))} <span class="muted">(${format.number(ingredients.length)})</span></summary>
${hidden > 0 ? html`<p class="muted">${say(sync.ingredientsMore, { shown: shownIngredients })}</p>` : ''}${table<PlannedIngredient>(
  {
    caption: say(sync.ingredientsOf, { recipe: name }),
    empty: '',
    rows: sorted.slice(0, shownIngredients),
    columns: [
      {
        label: say(sync.ingredient),
        isHeader: true,
        cell: (ingredient) =>
          html`${untrusted(ingredient.name)}<div class="item-digest muted">${code(ingredient.ref)}</div>${ingredient.problem === undefined ? '' : html`<p class="item-error">${errorLine(words, ingredient.problem)}</p>`}`,
      },
      { label: say(sync.kind), cell: ({ kind }) => kindBadge(call.words, kind) },
      { label: say(sync.version), cell: ({ version }) => untrusted(version) },
      { label: say(sync.status), cell: ({ status }) => say(statuses[status]) },
      { label: say(sync.transfer), isNumber: true, cell: ({ transferBytes }) => format.size(transferBytes) },
    ],
  },
)}</details>`;
}

/** The name of a recipe, its versions, and the reasons for which it is blocked. */
function nameCell(call: PageCall, recipe: PlannedRecipe): Html {
  const { say } = call.words;
  const { name, requested, resolved, lowerThan } = recipe;
  const versions = html`${untrusted(requested)}${resolved === undefined || resolved === requested ? '' : html` → ${untrusted(resolved)}`}`;
  return html`${untrusted(name)} <span class="muted">${versions}</span>${lowerThan === undefined ? '' : html`<p class="item-warning">${say(sync.lower, { here: lowerThan })}. ${say(sync.lowerHint)}</p>`}
${reasonLines(call, recipe).map((reason) => html`<p class="item-error">${reason}</p>`)}`;
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

/** The recipes of a plan, the blocked ones first, and the ingredients of each. */
export function plannedRecipes(call: PageCall, recipes: readonly PlannedRecipe[]): Html | string {
  if (recipes.length === 0) return '';
  const { say, format } = call.words;
  const isBlocked = (recipe: PlannedRecipe): boolean => problemsOf(recipe).length > 0;
  const sorted = [...recipes].sort((a, b) => Number(!isBlocked(a)) - Number(!isBlocked(b)));
  const largest = Math.max(...recipes.map(({ totalBytes }) => totalBytes));
  return html`<h2>${say(sync.recipes)}</h2>${recipeBarKey(call.words)}${table<PlannedRecipe>({
    caption: say(sync.recipes),
    hideCaption: true,
    empty: '',
    rows: sorted,
    columns: [
      { label: say(sync.recipe), isHeader: true, cell: (recipe) => nameCell(call, recipe) },
      { label: say(sync.signature), cell: (recipe) => signatureCell(call, recipe) },
      { label: say(sync.transfer), isNumber: true, cell: (recipe) => transferCell(call, recipe) },
      { label: say(sync.size), isNumber: true, cell: ({ totalBytes }) => format.size(totalBytes) },
      {
        label: say(sync.hereAndMissing),
        cell: (recipe) => recipeBar(recipe, { isBlocked: isBlocked(recipe), largest }),
      },
    ],
  })}${sorted.map((recipe) => ingredientTable(call, recipe))}`;
}
