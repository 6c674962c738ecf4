import { svcError } from '../../../../src/text/error.ts';
import { escapeText } from '../../../../src/text/escape.ts';
import { recipeWords } from '../../../../src/text/words/recipes.ts';
import { pagingParameters } from '../../../api/paging.ts';
import { recipeRoutes } from '../../../api/recipes.ts';
import { readDocument, requireRecipeName, showRecipe } from '../../../views/show-recipe.ts';
import { html } from '../../html.ts';
import { copyable } from '../../parts/copy.ts';
import { instanceUrl, quoteUrl } from '../../parts/curl.ts';
import { terminal } from '../../parts/terminal.ts';
import { untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { Page, PageCall, UiRoute } from '../../ui-route.ts';
import { showRecipes } from './list.ts';
import { showRecipeMapping } from './mapping.ts';
import { showOneRecipe } from './show.ts';

/** Characters of a document that are shown; a client of the registry gets all of it. */
const mostShown = 262_144;

/** The page `/recipes/-/{name}/document`: what the author of a version wrote and the signature covers. */
async function showRecipeDocument(call: PageCall): Promise<Page> {
  const { words } = call;
  const { say } = words;
  const { version, cookbook } = call.query as { readonly version?: string; readonly cookbook?: string };
  const { name, selected } = await showRecipe(call, { name: call.path.name!, version, cookbook });
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

const text = { type: 'string', maxLength: 512 } as const;

const versionParameters = [
  { name: 'version', schema: text, description: 'Version; default: the newest' },
  { name: 'cookbook', schema: text, description: 'Cookbook, where two have the version' },
] as const;

/** A name with a slash is that of no recipe: the page says so, where an unknown path would only not be found. */
const refuseName = ({ path }: PageCall): Page => {
  throw svcError('SVC-REG-005', { reference: requireRecipeName(path.repo!), local: 'store' });
};

export const recipePages: readonly UiRoute[] = [
  {
    method: 'GET',
    path: '/recipes',
    floor: 'viewer',
    title: recipeWords.title,
    parameters: [
      { name: 'q', schema: { type: 'string', maxLength: 256 }, description: 'Part of the name' },
      ...pagingParameters,
    ],
    page: showRecipes,
  },
  {
    method: 'GET',
    path: '/recipes/-/{name}',
    floor: 'viewer',
    title: recipeWords.recipe,
    parameters: versionParameters,
    page: showOneRecipe,
  },
  {
    method: 'GET',
    path: '/recipes/-/{name}/mapping',
    floor: 'viewer',
    title: recipeWords.mapping,
    parameters: recipeRoutes.find(({ path }) => path === '/recipes/{recipe}/mapping')?.parameters ?? [],
    page: showRecipeMapping,
  },
  {
    method: 'GET',
    path: '/recipes/-/{name}/document',
    floor: 'viewer',
    title: recipeWords.document,
    parameters: versionParameters,
    page: showRecipeDocument,
  },
  {
    method: 'GET',
    path: '/recipes/-/{repo}',
    floor: 'viewer',
    title: recipeWords.recipe,
    page: refuseName,
  },
];
