import type { ListedRecipe } from '../../../../src/operation/list-recipes.ts';
import { overview } from '../../../../src/text/words/overview.ts';
import { recipeWords } from '../../../../src/text/words/recipes.ts';
import { store as storeWords } from '../../../../src/text/words/store.ts';
import { listAccounts, listTokens } from '../../../views/accounts.ts';
import { findPush } from '../../../views/pushes.ts';
import { describeRetriever } from '../../../views/retriever.ts';
import { type Html, html } from '../../html.ts';
import { badge } from '../../parts/badge.ts';
import { hasHistory } from '../../parts/history-link.ts';
import { facts } from '../../parts/table.ts';
import { showActor, untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall } from '../../ui-route.ts';

/** Recipes shown; their own page has all of them. */
const most = 12;

type Listed = readonly (ListedRecipe | Pick<ListedRecipe, 'name'>)[];

/** The recipes of a store into which others push, the last pushed one first. */
function listNewest({ store: { index } }: PageCall, recipes: Listed): readonly ListedRecipe[] {
  const placeOf = ({ repository, tag }: ListedRecipe): number => index.sinceOf(repository, tag) ?? 0;
  return recipes
    .filter((each) => 'version' in each)
    .map((recipe) => ({ recipe, at: placeOf(recipe) }))
    .sort((a, b) => b.at - a.at)
    .map(({ recipe }) => recipe);
}

/** Actor and time of the push of a recipe, for readers of the kept audit records. */
async function pushOf(call: PageCall, { digest }: ListedRecipe): Promise<Html | undefined> {
  const push = hasHistory(call) ? await findPush(call, digest) : undefined;
  return push && html`${showActor(call.words, push.actor)}, ${call.words.format.time(push.at)}`;
}

/** The recipes of an instance that is the registry of others: the version, its push, and whether it is whole. */
export async function receivedList(call: PageCall, recipes: Listed): Promise<Html> {
  const { say } = call.words;
  const shown = listNewest(call, recipes).slice(0, most);
  const rest = recipes.length - shown.length;
  const items = await Promise.all(
    shown.map(async (recipe) => {
      const { name, version } = recipe;
      const push = await pushOf(call, recipe);
      const state = recipe.damaged
        ? badge('bad', say(recipeWords.copyDamaged))
        : badge('plain', say(overview.present));
      return html`<li class="wanted"><h3><a href="${toPath('/recipes/-/{name}', { name }, { version })}">${untrusted(name)}</a></h3><span class="leader"></span><span class="wanted-version">${untrusted(version)}</span>${state}${push === undefined ? '' : html`<p class="muted">${say(recipeWords.pushedBy)} ${push}</p>`}</li>\n`;
    }),
  );
  return html`<h2>${say(overview.received)} <span class="muted">${say(overview.receivedOrder)}</span></h2><ul class="wanted-list">
${items}</ul>
${rest > 0 ? html`<p><a href="/recipes">${say(overview.moreRecipes, { count: rest })}</a></p>` : ''}`;
}

/** The last push into the store, in the place of the last run. */
export async function lastPushBlock(call: PageCall, recipes: Listed): Promise<Html> {
  const { say } = call.words;
  const [newest] = listNewest(call, recipes);
  const push = newest && (await pushOf(call, newest));
  return html`<h2>${say(overview.pushedLast)}</h2>${
    newest === undefined
      ? html`<p class="muted">${say(overview.notCarried)}</p>`
      : facts([
          [say(overview.recipe), untrusted(`${newest.name} ${newest.version}`)],
          ...(push === undefined ? [] : [[say(recipeWords.pushedBy), push] as const]),
        ])
  }`;
}

/** The state of the store by its last whole reading, in the place of the last run. */
export function sayCheck(call: PageCall): string {
  const { say, format } = call.words;
  const { scrub } = describeRetriever(call);
  const last = scrub?.last;
  if (last === undefined) return say(scrub?.enabled ? storeWords.notRead : storeWords.notChecked);
  return say(storeWords.asOfPass, { time: format.time(last.finishedAt), files: last.files });
}

/** The identities that may pull, and the way to the settings of nodes. */
export async function pullBlock(call: PageCall): Promise<Html> {
  const { say } = call.words;
  const isOpen = call.identity.via === 'disabled';
  const counts =
    isOpen || !call.can('admin') || call.accounts === undefined
      ? undefined
      : {
          accounts: (await listAccounts(call)).length,
          tokens: (await listTokens(call)).filter(({ revokedAt }) => revokedAt === undefined).length,
        };
  return html`<div class="cell"><h2>${say(overview.mayPull)}</h2><p>${say(isOpen ? overview.pullOpen : overview.pullKnown)}${
    counts === undefined ? '' : html` <a href="/admin/accounts">${say(overview.pullCounts, counts)}</a>`
  }</p><p class="way"><a href="/clients">${say(recipeWords.mappingLink)}</a></p></div>`;
}
