import type { ListedRecipe } from '../../../../src/operation/list-recipes.ts';
import { compareVersions } from '../../../../src/recipe/constraint.ts';
import { media } from '../../../../src/text/words/media.ts';
import { overview } from '../../../../src/text/words/overview.ts';
import { sync } from '../../../../src/text/words/sync.ts';
import type { Words } from '../../../../src/text/words/words.ts';
import { type Run, rankWanted, type WantedRecipe, wantedState } from '../../../../src/view/runs.ts';
import { besideMedium, splitBlocked } from '../../../../src/view/zone/blocked.ts';
import { isOfDeliveries, listStanding } from '../../../../src/view/zone/waits.ts';
import { listBlocked } from '../../../views/blocked.ts';
import { showMediumDelivery } from '../../../views/media.ts';
import { listRuns } from '../../../views/runs.ts';
import { listWaitsNow } from '../../../views/zone/waits.ts';
import { type Html, html } from '../../html.ts';
import { badge } from '../../parts/badge.ts';
import { untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall } from '../../ui-route.ts';

/** Recipes shown; the task has all of them. */
const most = 24;

/** The words of the states of a wanted recipe. */
export const wantedWords = {
  blocked: media.recipeBlocked,
  missing: overview.absent,
  gone: overview.goneBadge,
  damaged: overview.damagedBadge,
  present: overview.present,
} as const;

/** The state of a wanted recipe. */
export const wantedBadge = (
  { say }: Words,
  wanted: Pick<WantedRecipe, 'standing' | 'error' | 'owed' | 'isDamaged' | 'isCopyDamaged'>,
): Html => {
  if (wanted.isCopyDamaged) return badge('warn', say(overview.damagedCopy));
  const state = wantedState(wanted);
  return badge(state === 'present' ? 'ok' : 'bad', say(wantedWords[state]));
};

/** The recipes that are wanted, or of deliveries. */
export interface AllWanted {
  readonly wanted: readonly WantedRecipe[];
  /** The run that wanted recipes last. */
  readonly run: Run | undefined;
  /** Whether they are those of deliveries: the zone does not know the Retriever that wants them. */
  readonly isDelivered: boolean;
}

/**
 * The recipes that are wanted, by the last run with recipes or by a delivery. None while the gate is closed. The overview, the list
 * of recipes, the search and the pages of recipes show these.
 *
 * @param known recipes of the store
 */
export async function readWanted(
  call: PageCall,
  known: readonly (ListedRecipe | Pick<ListedRecipe, 'name'>)[],
): Promise<AllWanted> {
  const run = (await listRuns(call, call.identity)).find(({ recipes }) => recipes.length > 0);
  if (call.gate.refusal() !== undefined) return { wanted: [], run, isDelivered: false };
  const delivery = run?.delivery === undefined ? undefined : await showMediumDelivery(call);
  const waits = await listWaitsNow(call, call.identity);
  const wanted = listStanding(run, { recipes: known, delivery, waits });
  return {
    // alone they would be all that is wanted, beside those that the medium brings
    wanted: wanted.length === 0 ? wanted : besideMedium(wanted, splitBlocked(listBlocked(call), waits)),
    run,
    isDelivered: isOfDeliveries(run, waits),
  };
}

/** The wanted recipes by name: of several with one name the first that is not here, else the highest version. */
export function byName(wanted: readonly WantedRecipe[]): ReadonlyMap<string, WantedRecipe> {
  const found = new Map<string, WantedRecipe>();
  for (const each of wanted) {
    const before = found.get(each.name);
    const isHigher =
      before?.standing === 'here' &&
      (each.standing !== 'here' || compareVersions(each.version, before.version) > 0);
    if (before === undefined || isHigher) found.set(each.name, each);
  }
  return found;
}

/** A line of the ledger: the recipe, a leader, its version and its standing. */
function item(call: PageCall, recipe: WantedRecipe, here: readonly string[]): Html {
  const { words } = call;
  const { say, format } = words;
  const { name, version, requested, standing, lowerThan, others = [] } = recipe;
  const place = toPath('/recipes/-/{name}', { name });
  const meanwhile = [...new Set([...others.map((other) => other.version), ...here])];
  const older =
    standing === 'here' || meanwhile.length === 0
      ? []
      : [say(overview.stillHere, { versions: format.list(meanwhile) })];
  return html`<li class="wanted"><h3><a href="${place}">${untrusted(name)}</a></h3><span class="leader"></span><span class="wanted-version">${untrusted(requested === undefined ? version : `${requested} → ${version}`)}</span>${wantedBadge(words, recipe)}${
    lowerThan === undefined ? '' : html` ${badge('warn', say(sync.lower, { here: lowerThan }))}`
  }${older.map((line) => html`<p class="muted">${untrusted(line)}</p>`)}</li>\n`;
}

/** The missing first, each group in its order; at most so many. */
const selectShown = (wanted: readonly WantedRecipe[]): readonly WantedRecipe[] =>
  wanted.toSorted((a, b) => rankWanted(a) - rankWanted(b)).slice(0, most);

/**
 * The recipes that a run or a delivery wanted, the missing ones first.
 *
 * @param wanted of the run, as the store stands now
 * @param known recipes of the store
 * @param isDelivered whether they are those of deliveries
 */
export function wantedList(
  call: PageCall,
  run: Pick<Run, 'task'>,
  wanted: readonly WantedRecipe[],
  known: readonly (ListedRecipe | Pick<ListedRecipe, 'name'>)[],
  isDelivered: boolean,
): Html {
  const { task } = run;
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
  // the task of this run does not list recipes of earlier deliveries
  const isOfAll = wanted.some(({ isAside }) => isAside);
  const more = isOfAll
    ? html`<a href="/recipes">${say(overview.moreRecipes, { count: rest })}</a>`
    : html`<a href="${toPath('/tasks/{id}', { id: task.id })}">${say(overview.moreWanted, { count: rest })}</a>`;
  return html`<h2>${say(isDelivered ? overview.delivered : overview.wanted)} <span class="muted">${say(isOfAll ? overview.wantedOfAll : overview.wantedAsOf, { time })}</span></h2><ul class="wanted-list">
${shown.map((recipe) => item(call, recipe, versionsOf(recipe.name)))}</ul>
${rest > 0 ? html`<p>${more}</p>` : ''}`;
}
