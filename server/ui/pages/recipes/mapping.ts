import type { RecipeMapping } from '../../../../src/contract/recipe.ts';
import { isSvcError, SvcError } from '../../../../src/text/error.ts';
import { recipeWords } from '../../../../src/text/words/recipes.ts';
import { showMapping } from '../../../../src/view/recipes.ts';
import { toReached } from '../../../views/reached.ts';
import { compareRecipes } from '../../../views/show-recipe.ts';
import { type Html, html } from '../../html.ts';
import { configFile, registryForm } from '../../parts/config-file.ts';
import { copyable } from '../../parts/copy.ts';
import { curlCommand } from '../../parts/curl.ts';
import { errorBlock } from '../../parts/error.ts';
import { table } from '../../parts/table.ts';
import { terminal } from '../../parts/terminal.ts';
import { code, untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { Page, PageCall, Section } from '../../ui-route.ts';

type MappedIngredient = RecipeMapping['versions'][number]['ingredients'][number];

function versionTable({ words: spoken }: PageCall, version: string, rows: readonly MappedIngredient[]): Html {
  const { say } = spoken;
  return table<MappedIngredient>({
    caption: `${say(recipeWords.ingredients)} ${version}`,
    empty: '',
    rows,
    columns: [
      { label: say(recipeWords.ingredient), isHeader: true, cell: ({ name }) => untrusted(name) },
      { label: say(recipeWords.nominal), cell: ({ nominal }) => code(nominal) },
      {
        label: say(recipeWords.relocated),
        cell: ({ relocated }) =>
          relocated === undefined
            ? html`<span class="muted">${say(recipeWords.noName)}</span>`
            : copyable(spoken, relocated, say(recipeWords.relocated)),
      },
    ],
  });
}

/** The mapping, or why the registry that was typed is none. */
async function readMapping(
  call: PageCall,
  recipe: string,
  registry: string | undefined,
): Promise<RecipeMapping | SvcError> {
  try {
    return await showMapping(call, { recipe, reached: toReached(call), registry });
  } catch (error) {
    if (isSvcError(error, 'SVC-VAL-001')) return error;
    throw error;
  }
}

function filesOf(call: PageCall, { versions, mirrors }: RecipeMapping): readonly Section[] {
  const { say } = call.words;
  const sorted = [...versions].sort(compareRecipes);
  return [
    {
      id: 'versions',
      html: html`${sorted.map(({ version, ingredients }, i) =>
        i === 0
          ? html`<h2>${untrusted(version)}</h2>${versionTable(call, version, ingredients)}`
          : html`<details class="fold"><summary>${untrusted(version)}</summary>${versionTable(call, version, ingredients)}</details>`,
      )}`,
    },
    {
      id: 'files',
      html: html`<h2>${say(recipeWords.files)}</h2><p class="muted">${say(recipeWords.filesHint)}</p>
<p>${say(recipeWords.k3s)}</p>${configFile(call, 'registries.yaml', mirrors.registriesYaml)}
<p>${say(recipeWords.containerd)}</p>${mirrors.hostsToml.map(({ directory, content }) => configFile(call, `/etc/containerd/certs.d/${directory}/hosts.toml`, content))}`,
    },
  ];
}

/** The page `/recipes/-/{name}/mapping`. */
export async function showRecipeMapping(
  call: PageCall<{ readonly registry?: string | undefined }, { readonly name: string }>,
): Promise<Page> {
  const { words: spoken, exchange } = call;
  const { say } = spoken;
  const recipe = call.path.name;
  const { registry } = call.query;
  const found = await readMapping(call, recipe, registry);
  const isWrong = found instanceof SvcError;
  const { correlationId } = exchange;
  return {
    ...(isWrong ? { status: 422 } : {}),
    title: say(recipeWords.mappingOf, { name: recipe }),
    heading: html`${say(recipeWords.mapping)} <span class="muted">${untrusted(recipe)}</span>`,
    lead: say(recipeWords.mappingLead),
    crumbs: [
      [say(recipeWords.title), '/recipes'],
      [recipe, toPath('/recipes/-/{name}', { name: recipe })],
    ],
    sections: [
      {
        id: 'registry',
        html: html`${isWrong ? errorBlock({ words: spoken, error: found, hasHelp: true, labelOf: (name) => (name === 'registry' ? say(recipeWords.registry) : undefined), correlationId }) : ''}${registryForm(call)}`,
      },
      ...(isWrong ? [] : filesOf(call, found)),
      {
        id: 'terminal',
        html: terminal(call.words, [
          curlCommand(call, 'GET', toPath('/recipes/{recipe}/mapping', { recipe }, { registry })),
        ]),
      },
    ],
  };
}
