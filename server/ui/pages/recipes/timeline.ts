import type { ListedRecipe } from '../../../../src/operation/list-recipes.ts';
import { isConstraint } from '../../../../src/recipe/constraint.ts';
import { recipeWords } from '../../../../src/text/words/recipes.ts';
import { isRefused, type Run } from '../../../../src/view/runs.ts';
import { landedAt, type RecipeView } from '../../../views/show-recipe.ts';
import { attr, type Html, html } from '../../html.ts';
import { untrusted } from '../../parts/text.ts';
import { type VersionMark, versionLine } from '../../pictures/version-line.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall, Section } from '../../ui-route.ts';
import { versionNav } from './version-nav.ts';

/** Versions that are here of more than one cookbook: their cookbook is named. */
export function sharedVersions({ versions }: RecipeView): ReadonlySet<string> {
  const [seen, shared] = [new Set<string>(), new Set<string>()];
  for (const { version } of versions) (seen.has(version) ? shared : seen).add(version);
  return shared;
}

/** A link to one version. */
export function versionPath({ name, version, cookbook }: ListedRecipe, shared: ReadonlySet<string>): string {
  return toPath(
    '/recipes/-/{name}',
    { name },
    { version, cookbook: shared.has(version) ? cookbook : undefined },
  );
}

/** Newest events of the timeline: one or two lines of marks. */
const mostMarks = 10;

/**
 * The newest landed and refused versions with the one that is shown, the oldest first, and links to all others. A version
 * that is refused in each run is one mark. Nothing where there is only one event, which the head of the page says.
 */
export function timeline(call: PageCall, view: RecipeView, runs: readonly Run[]): readonly Section[] {
  const { say, format } = call.words;
  const shared = sharedVersions(view);
  const nameOf = ({ version, cookbook }: ListedRecipe): Html =>
    html`${untrusted(version)}${shared.has(version) ? html` <span class="muted">${untrusted(cookbook)}</span>` : ''}`;
  const day = (at: string): Html =>
    html`<time class="muted" datetime="${at}" title="${format.time(at)}">${format.day(at)}</time>`;
  const landed = view.versions.flatMap((recipe) => {
    const at = landedAt(recipe);
    if (at === undefined) return [];
    const isCurrent = recipe === view.selected;
    const text = html`<a href="${versionPath(recipe, shared)}" ${attr('aria-current', isCurrent ? 'page' : undefined)}>${nameOf(recipe)}</a> ${day(at)}`;
    return [{ recipe, mark: { at, kind: 'landed', isCurrent, text } satisfies VersionMark }];
  });
  const refused = new Map<string, VersionMark>();
  for (const { task, recipes } of runs)
    for (const { name, version, error } of recipes.filter(isRefused)) {
      // an entry that was not resolved names no version, and one that is here has its own mark
      const isHere = view.versions.some((each) => each.version === version);
      if (name !== view.name || refused.has(version) || isConstraint(version) || isHere) continue;
      const at = task.finishedAt ?? task.createdAt;
      const why = html`<a href="${toPath('/tasks/{id}', { id: task.id })}">${error?.code ?? task.id}</a>`;
      const text = html`${untrusted(version)} ${say(recipeWords.failed)} ${why} ${day(at)}`;
      refused.set(version, { at, kind: 'failed', text });
    }
  const all: readonly VersionMark[] = [...landed.map(({ mark }) => mark), ...refused.values()];
  const marks = [...all]
    .sort((a, b) => (a.at < b.at ? -1 : 1))
    .filter(({ isCurrent }, i) => i >= all.length - mostMarks || isCurrent === true);
  const marked = new Set(landed.flatMap(({ recipe, mark }) => (marks.includes(mark) ? [recipe] : [])));
  const others = view.versions.filter((each) => !marked.has(each));
  if (all.length + others.length < 2) return [];
  const links = others.map((each) => ({
    version: nameOf(each),
    path: versionPath(each, shared),
    isShown: each === view.selected,
  }));
  const line = marks.length === 0 ? '' : versionLine(say(recipeWords.timeline), marks);
  const rest = links.length === 0 ? '' : versionNav(call, links, marks.length === 0 ? undefined : 0);
  return [{ id: 'timeline', html: html`<h2>${say(recipeWords.timeline)}</h2>${line}${rest}` }];
}
