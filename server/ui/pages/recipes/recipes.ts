import { svcError } from '../../../../src/text/error.ts';
import { escapeText } from '../../../../src/text/escape.ts';
import { recipeWords } from '../../../../src/text/words/recipes.ts';
import { readDocument, requireRecipeName, showRecipe } from '../../../views/show-recipe.ts';
import { html } from '../../html.ts';
import { copyable } from '../../parts/copy.ts';
import { instanceUrl, quoteUrl } from '../../parts/curl.ts';
import { terminal } from '../../parts/terminal.ts';
import { untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import { type Page, page, type UiRoute } from '../../ui-route.ts';
import { recipeFilters, showRecipes } from './list.ts';
import { mappingParameters, showRecipeMapping } from './mapping.ts';
import { recipeParameters, showOneRecipe, type VersionCall, versionParameters } from './show.ts';

/** Characters of a document that are shown; a client of the registry gets all of it. */
const mostShown = 262_144;

/** The page `/recipes/-/{name}/document`: the signed document of a version, as its author wrote it. */
async function showRecipeDocument(call: VersionCall): Promise<Page> {
  const { words } = call;
  const { say } = words;
  const { cookbook } = call.query;
  const { name, selected } = await showRecipe(call, { ...call.path, ...call.query });
  const text = await readDocument(call, selected);
  const { repository, documentDigest } = selected;
  const blob = toPath('/v2/{repo}/blobs/{digest}', { repo: repository, digest: documentDigest });
  const lines = text.slice(0, mostShown).split(/\r?\n/);
  return {
    title: say(recipeWords.documentOf, { name: `${name} ${selected.version}` }),
    heading: html`${say(recipeWords.document)} <span class="muted">${untrusted(`${name} ${selected.version}`)}</span>`,
    crumbs: [
      [say(recipeWords.title), '/recipes'],
      [name, toPath('/recipes/-/{name}', { name }, { version: selected.version, cookbook })],
    ],
    sections: [
      {
        id: 'document',
        html: html`<p class="muted">${say(recipeWords.documentHint)}</p><p>${copyable(words, documentDigest, say(recipeWords.documentDigest))}</p>
${text.length > mostShown ? html`<p class="muted">${say(recipeWords.documentCut)}</p>` : ''}<pre tabindex="0" translate="no"><code>${lines.map((line) => `${escapeText(line)}\n`)}</code></pre>`,
      },
      {
        id: 'terminal',
        html: terminal(words, [`curl -u NAME ${quoteUrl(`${instanceUrl(call)}${blob}`)}`]),
      },
    ],
  };
}

/** A name with a slash is that of no recipe: the page says so, where an unknown path would only not be found. */
const refuseName = (repo: string): never => {
  throw svcError('SVC-REG-005', { reference: requireRecipeName(repo), local: 'store' });
};

export const recipePages: readonly UiRoute[] = [
  page({
    method: 'GET',
    path: '/recipes',
    floor: 'viewer',
    title: recipeWords.title,
    query: recipeFilters,
    page: showRecipes,
  }),
  page({
    method: 'GET',
    path: '/recipes/-/{name}',
    floor: 'viewer',
    title: recipeWords.recipe,
    query: recipeParameters,
    page: showOneRecipe,
  }),
  page({
    method: 'GET',
    path: '/recipes/-/{name}/mapping',
    floor: 'viewer',
    title: recipeWords.mapping,
    query: mappingParameters,
    page: showRecipeMapping,
  }),
  page({
    method: 'GET',
    path: '/recipes/-/{name}/document',
    floor: 'viewer',
    title: recipeWords.document,
    query: versionParameters,
    page: showRecipeDocument,
  }),
  page({
    method: 'GET',
    path: '/recipes/-/{repo}',
    floor: 'viewer',
    title: recipeWords.recipe,
    page: ({ path }) => refuseName(path.repo),
  }),
];
