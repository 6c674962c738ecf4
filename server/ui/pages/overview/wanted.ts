import type { ListedRecipe } from '../../../../src/operation/list-recipes.ts';
import { fromErrorRecord } from '../../../../src/text/error.ts';
import { renderError } from '../../../../src/text/message.ts';
import { isolate } from '../../../../src/text/words/isolate.ts';
import { overview } from '../../../../src/text/words/overview.ts';
import { sync } from '../../../../src/text/words/sync.ts';
import type { Run, WantedRecipe } from '../../../../src/view/runs.ts';
import { type Html, html } from '../../html.ts';
import { badge } from '../../parts/badge.ts';
import { untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall } from '../../ui-route.ts';

/** Recipes shown; the task has all of them. */
const most = 24;

function item(call: PageCall, recipe: WantedRecipe, here: readonly string[]): Html {
  const { say, format, language } = call.words;
  const { name, version, requested, standing, error, lowerThan } = recipe;
  const named =
    here.length === 0
      ? untrusted(name)
      : html`<a href="${toPath('/recipes/-/{name}', { name })}">${untrusted(name)}</a>`;
  const title = html`<h3>${named} <span class="muted">${untrusted(requested === undefined ? version : `${requested} → ${version}`)}</span></h3>`;
  if (standing === 'here')
    return html`<li class="wanted">${title}${badge('ok', say(overview.present))}${lowerThan === undefined ? '' : html` ${badge('warn', say(sync.lower, { here: lowerThan }))}`}</li>\n`;
  return html`<li class="wanted wanted-missing">${title}${badge('bad', say(standing === 'gone' ? overview.goneBadge : overview.absent))}
${error === undefined ? '' : html`<p>${renderError(fromErrorRecord(error), language, isolate).what} <a href="/help#${error.code}">${error.code}</a></p>`}
${here.length === 0 ? '' : html`<p class="muted">${untrusted(say(overview.stillHere, { versions: format.list(here) }))}</p>`}</li>\n`;
}

/** The missing first, each group in its order; at most so many. */
function selectShown(wanted: readonly WantedRecipe[]): readonly WantedRecipe[] {
  const shown: WantedRecipe[] = [];
  for (const isHere of [false, true])
    for (const recipe of wanted) {
      if (shown.length === most) return shown;
      if ((recipe.standing === 'here') === isHere) shown.push(recipe);
    }
  return shown;
}

/**
 * The recipes that a run wanted, the missing ones first.
 *
 * @param wanted of the run, as the store stands now
 * @param known recipes of the store
 */
export function wantedList(
  call: PageCall,
  { task }: Pick<Run, 'task'>,
  wanted: readonly WantedRecipe[],
  known: readonly (ListedRecipe | Pick<ListedRecipe, 'name'>)[],
): Html {
  const { say, format } = call.words;
  const shown = selectShown(wanted);
  const names = new Set(shown.map(({ name }) => name));
  const versions = new Map<string, string[]>();
  for (const each of known) {
    if (!('version' in each) || !names.has(each.name)) continue;
    const here = versions.get(each.name);
    if (here === undefined) versions.set(each.name, [each.version]);
    else here.push(each.version);
  }
  const versionsOf = (name: string): readonly string[] => (versions.get(name) ?? []).slice(-3);
  const rest = wanted.length - most;
  const time = format.time(task.finishedAt ?? task.createdAt);
  return html`<h2>${say(overview.wanted)}</h2><p class="muted">${say(overview.wantedAsOf, { time })}</p><ul class="wanted-list">
${shown.map((recipe) => item(call, recipe, versionsOf(recipe.name)))}</ul>
${rest > 0 ? html`<p><a href="${toPath('/tasks/{id}', { id: task.id })}">${say(overview.moreWanted, { count: rest })}</a></p>` : ''}`;
}
