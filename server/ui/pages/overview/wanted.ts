import { fromErrorRecord } from '../../../../src/base/error.ts';
import { renderError } from '../../../../src/base/message.ts';
import { overview } from '../../../../src/base/words/overview.ts';
import type { ListedRecipe } from '../../../../src/operation/list-recipes.ts';
import type { Run, RunRecipe } from '../../../views/runs.ts';
import { type Html, html } from '../../html.ts';
import { badge } from '../../parts/badge.ts';
import { untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall } from '../../ui-route.ts';

/** Recipes shown; the task has all of them. */
const most = 24;

function item(call: PageCall, recipe: RunRecipe, here: readonly string[]): Html {
  const { say, format, language } = call.words;
  const { name, version, requested, status, error } = recipe;
  const isHere = status === 'done';
  const title = html`<h3>${untrusted(name)} <span class="muted">${untrusted(requested === undefined ? version : `${requested} → ${version}`)}</span></h3>`;
  if (isHere) return html`<li class="wanted">${title}${badge('ok', say(overview.present))}</li>\n`;
  return html`<li class="wanted wanted-missing">${title}${badge('bad', say(overview.absent))}
${error === undefined ? '' : html`<p>${renderError(fromErrorRecord(error), language).what} <a href="/help#${error.code}">${error.code}</a></p>`}
${here.length === 0 ? '' : html`<p class="muted">${untrusted(say(overview.stillHere, { versions: format.list(here) }))}</p>`}</li>\n`;
}

/** What the last run wanted, the missing first. */
export function wantedList(
  call: PageCall,
  { task, recipes }: Run,
  known: readonly (ListedRecipe | Pick<ListedRecipe, 'name'>)[],
): Html {
  const { say } = call.words;
  const versionsOf = (name: string): readonly string[] =>
    known.flatMap((each) => (each.name === name && 'version' in each ? [each.version] : [])).slice(-3);
  const rank = ({ status }: RunRecipe): number => (status === 'done' ? 1 : 0);
  const ordered = recipes.toSorted((a, b) => rank(a) - rank(b));
  const rest = ordered.length - most;
  return html`<h2>${say(overview.wanted)}</h2><ul class="wanted-list">
${ordered.slice(0, most).map((recipe) => item(call, recipe, versionsOf(recipe.name)))}</ul>
${rest > 0 ? html`<p><a href="${toPath('/tasks/{id}', { id: task.id })}">${say(overview.moreWanted, { count: rest })}</a></p>` : ''}`;
}
