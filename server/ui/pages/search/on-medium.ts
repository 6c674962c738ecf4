import { hasWords } from '../../../../src/base/words.ts';
import type { TaskHead } from '../../../../src/task/storage.ts';
import { searchWords } from '../../../../src/text/words/search.ts';
import type { WantedRecipe } from '../../../../src/view/runs.ts';
import { findFilesets } from '../../../views/filesets.ts';
import { findVerification } from '../../../views/media.ts';
import { html } from '../../html.ts';
import { marked, untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall, Section } from '../../ui-route.ts';
import { isHeldBack, recipeBadge } from '../media/verdict.ts';
import type { Known } from './items.ts';
import { type Result, results, shown } from './result-list.ts';
import { filesetResult } from './state-lists.ts';
import { codeLink, missingItem } from './states.ts';

/**
 * The recipes of the medium that is here, and of deliveries that a zone waits for, which are not served: lists of recipes have no
 * row for them.
 *
 * @param listed wanted recipes that another list has
 */
export function mediumResults(
  call: PageCall,
  known: Known,
  { q, listed }: { readonly q: string; readonly listed: readonly WantedRecipe[] },
): readonly Section[] {
  const has = hasWords(q);
  const report = findVerification(call)?.report;
  const isSame = (a: { name: string; version: string }) => (b: { name: string; version: string }) =>
    a.name === b.name && a.version === b.version;
  const carried = (report?.recipes ?? []).filter(
    (recipe) =>
      has(`${recipe.name} ${recipe.version}`) &&
      !listed.some(isSame(recipe)) &&
      // the row of the recipe says it of a damaged copy
      !(known.wanted.get(recipe.name)?.isCopyDamaged && isSame(recipe)(known.wanted.get(recipe.name)!)) &&
      !(recipe.pushable && known.recipes.some(({ name }) => name === recipe.name)),
  );
  const awaited = [...known.wanted.values()].filter(
    (each) =>
      each.standing !== 'here' &&
      has(`${each.name} ${each.version}`) &&
      ![...listed, ...carried].some(isSame(each)),
  );
  const isHeld = report !== undefined && isHeldBack(report);
  const items: Result[] = [
    ...carried.map((recipe) => ({
      name: html`<a href="${toPath('/recipes/-/{name}', { name: recipe.name })}">${marked(recipe.name, q)}</a>`,
      version: untrusted(recipe.version),
      state: recipeBadge(call, recipe, isHeld),
      rest:
        codeLink(recipe.reason?.code) ??
        html`<span class="muted">${call.words.say(searchWords.onMedium)}</span>`,
    })),
    ...awaited.map((each) => missingItem(call, each, q)),
  ];
  const title = call.words.say(searchWords.ofMedium);
  return results(call, {
    id: 'medium',
    title,
    total: items.length,
    all: '/recipes',
    items: items.slice(0, shown),
  });
}

/** The configured FileSets with the text in their name or reference, with their state. */
export async function filesetResults(call: PageCall, q: string): Promise<readonly Section[]> {
  const { words } = call;
  const found = await findFilesets(call, hasWords(q), shown);
  const items = found.selected.map((fileset) => filesetResult(call, fileset, q));
  const title = words.say(searchWords.filesets);
  return results(call, { id: 'filesets', title, total: found.total, all: '/filesets', items });
}

/** Says of a name that only tasks know that nothing of that name is here. */
export function onlyTasks({ words: { say, format } }: PageCall, q: string, last: TaskHead): Section {
  const time = format.time(last.finishedAt ?? last.createdAt);
  return {
    id: 'only-tasks',
    html: html`<p>${say(searchWords.onlyTasks, { q, time })}</p>`,
  };
}
