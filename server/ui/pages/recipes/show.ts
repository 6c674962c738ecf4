import type { QueryOf } from '../../../../src/contract/operation.ts';
import { text } from '../../../../src/contract/schema.ts';
import type { ListedRecipe } from '../../../../src/operation/list-recipes.ts';
import { recipeWords } from '../../../../src/text/words/recipes.ts';
import { isRefused } from '../../../../src/view/runs.ts';
import { listRuns } from '../../../views/runs.ts';
import { landedAt, type RecipeView, showRecipe } from '../../../views/show-recipe.ts';
import { listTaskSummaries } from '../../../views/tasks.ts';
import { attr, type Html, html } from '../../html.ts';
import { copyable } from '../../parts/copy.ts';
import { curlCommand, instanceUrl, quoteUrl } from '../../parts/curl.ts';
import { historyLink } from '../../parts/history-link.ts';
import { facts } from '../../parts/table.ts';
import { terminal } from '../../parts/terminal.ts';
import { code, moment, untrusted } from '../../parts/text.ts';
import { type VersionMark, versionLine } from '../../pictures/version-line.ts';
import { toPath } from '../../to-href.ts';
import type { Page, PageCall } from '../../ui-route.ts';
import { composition } from './ingredients.ts';
import { trustBadge } from './trust-badge.ts';

/** The page of the document of one version. */
function documentPath({ name, version, cookbook }: ListedRecipe): string {
  return toPath('/recipes/-/{name}/document', { name }, { version, cookbook });
}

/** A link to one version; names the cookbook where two have the same version. */
function versionPath({ versions, name }: RecipeView, { version, cookbook }: ListedRecipe): string {
  const isAmbiguous = versions.filter((each) => each.version === version).length > 1;
  return toPath('/recipes/-/{name}', { name }, { version, cookbook: isAmbiguous ? cookbook : undefined });
}

function versionLinks({ words: { say } }: PageCall, view: RecipeView): Html {
  const { versions, selected } = view;
  return html`<nav aria-label="${say(recipeWords.versionsHere)}"><ul class="tags">${versions.map((each) => {
    const isShared = versions.some((other) => other !== each && other.version === each.version);
    return html`<li><a href="${versionPath(view, each)}" ${attr('aria-current', each === selected ? 'page' : undefined)}>${untrusted(each.version)}${isShared ? html` <span class="muted">${untrusted(each.cookbook)}</span>` : ''}</a></li>`;
  })}</ul></nav>`;
}

/** The key that approved a recipe: the name of its trust root, and the fingerprint. */
function signerFact({ words: spoken, instance }: PageCall, fingerprint: string): Html {
  const { say } = spoken;
  const root = instance.context.policy.roots.find((each) => each.fingerprint === fingerprint);
  const name =
    root === undefined ? html`<span class="muted">${say(recipeWords.rootGone)}</span>` : untrusted(root.name);
  return html`${name} ${copyable(spoken, fingerprint, say(recipeWords.key))}`;
}

/** The run that brought a recipe, with the way to its task as long as that is kept. */
function runFact(call: PageCall, runId: string): Html {
  const { tasks } = listTaskSummaries(call, call.identity, { q: runId, pageSize: 1 });
  const task = tasks.find((each) => each.runId === runId);
  if (task === undefined) return code(runId);
  return html`${code(runId)} <a href="${toPath('/tasks/{id}', { id: task.id })}">${call.words.say(recipeWords.openTask)}</a>`;
}

/** The line under the versions: the most important facts of the version that is shown. */
function summaryLine(
  { words: spoken, instance }: PageCall,
  { selected: recipe, hasDocument }: RecipeView,
): Html {
  const { say } = spoken;
  const at = landedAt(recipe);
  const root = instance.context.policy.roots.find(({ fingerprint }) => fingerprint === recipe.keyFingerprint);
  return html`<p class="summary-line">${trustBadge(spoken, recipe)}${root === undefined ? '' : html`<span>${untrusted(say(recipeWords.signedBy, { name: root.name }))}</span>`}${recipe.trustScope === undefined ? '' : html`<span>${untrusted(recipe.trustScope)}</span>`}<span class="muted">${at === undefined ? say(recipeWords.publishedHere) : html`${say(recipeWords.landed)} ${moment(spoken, at)}`}</span>
<a class="button" href="${toPath('/recipes/-/{name}/mapping', { name: recipe.name })}">${say(recipeWords.mappingLink)}</a>${hasDocument ? html`<a class="button button-plain" href="${documentPath(recipe)}">${say(recipeWords.document)}</a>` : ''}</p>`;
}

function factsOf(call: PageCall, { selected: recipe, hasDocument }: RecipeView): Html {
  const { words: spoken } = call;
  const { say, format } = spoken;
  const { cookbook, repository, tag, digest, documentDigest, keyFingerprint, trustScope } = recipe;
  const version = html`<a href="${toPath('/content/{repo}/-/tags/{tag}', { repo: repository, tag })}">${untrusted(`${repository}:${tag}`)}</a>`;
  return facts([
    ...(trustScope === undefined ? [] : [[say(recipeWords.scope), untrusted(trustScope)] as const]),
    ...(keyFingerprint === undefined
      ? []
      : [[say(recipeWords.key), signerFact(call, keyFingerprint)] as const]),
    [say(recipeWords.cookbook), untrusted(cookbook)],
    [say(recipeWords.reference), version],
    [say(recipeWords.digest), copyable(spoken, digest, say(recipeWords.digest))],
    [
      say(recipeWords.document),
      html`${copyable(spoken, documentDigest, say(recipeWords.documentDigest))}${hasDocument ? html` <a href="${documentPath(recipe)}">${say(recipeWords.openDocument)}</a>` : ''}`,
    ],
    ...('resolvedAt' in recipe
      ? [
          [
            say(recipeWords.resolved),
            html`${format.time(recipe.resolvedAt)} <span class="muted">(${moment(spoken, recipe.resolvedAt)})</span>`,
          ] as const,
          [say(recipeWords.run), runFact(call, recipe.runId)] as const,
          [say(recipeWords.zone), untrusted(recipe.zone)] as const,
        ]
      : [[say(recipeWords.landed), say(recipeWords.publishedHere)] as const]),
  ]);
}

/** Landed and refused versions, the oldest first; a version that is refused in each run is one mark. */
async function landings(call: PageCall, view: RecipeView): Promise<Html> {
  const { say, format } = call.words;
  const runs = await listRuns(call, call.identity);
  const day = (at: string): Html =>
    html`<time class="muted" datetime="${at}" title="${format.time(at)}">${format.day(at)}</time>`;
  const landed = view.versions.flatMap((recipe): VersionMark[] => {
    const at = landedAt(recipe);
    if (at === undefined) return [];
    const isCurrent = recipe === view.selected;
    const text = html`<a href="${versionPath(view, recipe)}">${untrusted(recipe.version)}</a> ${day(at)}`;
    return [{ at, kind: 'landed', isCurrent, text }];
  });
  const refused = new Map<string, VersionMark>();
  for (const { task, recipes } of runs)
    for (const { name, version, error } of recipes.filter(isRefused)) {
      if (name !== view.name || refused.has(version)) continue;
      const at = task.finishedAt ?? task.createdAt;
      const why = html`<a href="${toPath('/tasks/{id}', { id: task.id })}">${error?.code ?? task.id}</a>`;
      const text = html`${untrusted(version)} ${say(recipeWords.refused)} ${why} ${day(at)}`;
      refused.set(version, { at, kind: 'failed', text });
    }
  const marks = [...landed, ...refused.values()].sort((a, b) => (a.at < b.at ? -1 : 1));
  if (marks.length === 0) return html`<p class="muted">${say(recipeWords.noTimeline)}</p>`;
  return versionLine(say(recipeWords.timeline), marks);
}

const versionText = text({ maxLength: 512 });
export const versionParameters = { version: { schema: versionText }, cookbook: { schema: versionText } };
/** The call of a page of one version of a recipe. */
export type VersionCall = PageCall<QueryOf<typeof versionParameters>, { readonly name: string }>;

/** The page `/recipes/-/{name}`. */
export async function showOneRecipe(call: VersionCall): Promise<Page> {
  const { say } = call.words;
  const { version } = call.query;
  const view = await showRecipe(call, { ...call.path, ...call.query });
  const { name, selected } = view;
  const { repository, documentDigest } = selected;
  const blob = toPath('/v2/{repo}/blobs/{digest}', { repo: repository, digest: documentDigest });
  const document = `curl -u NAME ${quoteUrl(`${instanceUrl(call)}${blob}`)}`;
  return {
    title: version === undefined ? name : `${name} ${selected.version}`,
    heading: html`${untrusted(name)} <span class="muted">${untrusted(selected.version)}</span>`,
    crumbs: [[say(recipeWords.title), '/recipes']],
    sections: [
      {
        id: 'version',
        html: html`${versionLinks(call, view)}${summaryLine(call, view)}`,
      },
      { id: 'composition', html: composition(call, view) },
      { id: 'timeline', html: html`<h2>${say(recipeWords.timeline)}</h2>${await landings(call, view)}` },
      {
        id: 'record',
        html: html`<h2>${say(recipeWords.record)}</h2>${factsOf(call, view)}${historyLink(call, name)}`,
      },
      {
        id: 'terminal',
        html: terminal(call.words, [curlCommand(call, 'GET', '/recipes'), document]),
      },
    ],
  };
}
