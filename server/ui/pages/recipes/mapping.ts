import { selectPage } from '../../../../src/base/page.ts';
import type { QueryOf } from '../../../../src/contract/operation.ts';
import { paging } from '../../../../src/contract/operations/paging.ts';
import { getRecipeMapping as showMappingRecord } from '../../../../src/contract/operations/recipes.ts';
import { type SortValues, sorting, sortRows } from '../../../../src/contract/operations/sorting.ts';
import type { RecipeMapping } from '../../../../src/contract/recipe.ts';
import { text } from '../../../../src/contract/schema.ts';
import { isSvcError, SvcError } from '../../../../src/text/error.ts';
import { content } from '../../../../src/text/words/content.ts';
import { recipeWords } from '../../../../src/text/words/recipes.ts';
import { showMapping } from '../../../../src/view/recipes.ts';
import { toReached } from '../../../views/reached.ts';
import { compareRecipes } from '../../../views/show-recipe.ts';
import { toRefused } from '../../faults.ts';
import { type Html, html } from '../../html.ts';
import { configFile, registryForm } from '../../parts/config-file.ts';
import { copyable } from '../../parts/copy.ts';
import { curlCommand } from '../../parts/curl.ts';
import { filters, nothingMatches } from '../../parts/filters.ts';
import { pager, pastEnd } from '../../parts/pager.ts';
import { belowHost, groupByHost } from '../../parts/short-name.ts';
import { table } from '../../parts/table.ts';
import { terminal } from '../../parts/terminal.ts';
import { code, untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { Page, PageCall, Section } from '../../ui-route.ts';
import { kindWords } from '../content/content-words.ts';
import { fewest, ingredientFilters, isWanted } from './ingredients.ts';
import { versionNav } from './version-nav.ts';

type MappedIngredient = RecipeMapping['versions'][number]['ingredients'][number];

/** Ingredients of one page. */
const perPage = 200;

export const mappingParameters = {
  registry: showMappingRecord.query.registry,
  version: { schema: text({ maxLength: 512 }) },
  q: ingredientFilters.q,
  kind: ingredientFilters.kind,
  ...sorting(['place', 'name', 'nominal']),
  page: paging(perPage).page,
};
type Call = PageCall<QueryOf<typeof mappingParameters>, { readonly name: string }>;

interface Row {
  readonly ingredient: MappedIngredient;
  /** Place in the recipe. */
  readonly place: number;
}

const sortValues: SortValues<Row, 'place' | 'name' | 'nominal'> = {
  place: ({ place }) => place,
  name: ({ ingredient }) => ingredient.name,
  nominal: ({ ingredient }) => ingredient.nominal,
};

const pathOf = (recipe: string): string => toPath('/recipes/-/{name}/mapping', { name: recipe });

/** Selects ingredients by name and kind. */
function filterForm(call: Call): Html {
  return filters(call, {
    path: pathOf(call.path.name),
    section: 'versions',
    query: mappingParameters,
    controls: {
      registry: 'kept',
      version: 'kept',
      q: recipeWords.searchIngredients,
      kind: { label: content.kinds, words: kindWords },
      sort: 'kept',
      order: 'kept',
    },
  });
}

function versionTable(call: Call, version: string, all: readonly MappedIngredient[]): Html {
  const { words: spoken, query } = call;
  const { say } = spoken;
  const { sort, order, page } = query;
  const wanted = all
    .map((ingredient, place): Row => ({ ingredient, place }))
    .filter(({ ingredient }) => isWanted(ingredient, query));
  const found = sortRows(wanted, sortValues, { sort, order });
  const { selected: rows, pageOf } = selectPage(found, { page, pageSize: perPage });
  const groupOf = groupByHost(
    rows.map(({ ingredient }) => ingredient.nominal),
    sort === 'nominal',
  );
  return html`${table<Row>({
    caption: `${say(recipeWords.ingredients)} ${version}`,
    empty: pastEnd(call, pageOf) ?? nothingMatches(call, pathOf(call.path.name), ['q', 'kind']),
    rows,
    list: { call, sort: 'place' },
    groupOf: ({ ingredient }) => groupOf(ingredient.nominal),
    columns: [
      {
        label: say(recipeWords.ingredient),
        isHeader: true,
        sort: 'name',
        cell: ({ ingredient }) => untrusted(ingredient.name),
      },
      {
        label: say(recipeWords.nominal),
        sort: 'nominal',
        cell: ({ ingredient }) => code(belowHost(groupOf, ingredient.nominal)),
      },
      {
        label: say(recipeWords.relocated),
        cell: ({ ingredient: { relocated } }) =>
          relocated === undefined
            ? html`<span class="muted">${say(recipeWords.noName)}</span>`
            : copyable(spoken, relocated, say(recipeWords.relocated)),
      },
    ],
  })}${pager(call, { ...pageOf, pageSize: perPage })}`;
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

function filesOf(call: Call, { recipe, versions, mirrors }: RecipeMapping): readonly Section[] {
  const { say } = call.words;
  const { registry, version } = call.query;
  const sorted = [...versions].sort(compareRecipes);
  const shown = sorted.find((each) => each.version === version) ?? sorted[0];
  return [
    ...((shown?.ingredients.length ?? 0) < fewest ? [] : [{ id: 'filters', html: filterForm(call) }]),
    {
      id: 'versions',
      html: html`${versionNav(
        call,
        sorted.map((each) => ({
          version: untrusted(each.version),
          path: toPath('/recipes/-/{name}/mapping', { name: recipe }, { version: each.version, registry }),
          isShown: each === shown,
        })),
      )}${shown === undefined ? '' : html`<h2>${untrusted(shown.version)}</h2>${versionTable(call, shown.version, shown.ingredients)}`}`,
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
export async function showRecipeMapping(call: Call): Promise<Page> {
  const { say } = call.words;
  const recipe = call.path.name;
  const { registry } = call.query;
  const found = await readMapping(call, recipe, registry);
  const refused = found instanceof SvcError ? toRefused(call, found) : undefined;
  return {
    refused,
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
        html: registryForm(call, refused),
      },
      ...(found instanceof SvcError ? [] : filesOf(call, found)),
      {
        id: 'terminal',
        html: terminal(call.words, [
          curlCommand(call, 'GET', toPath('/recipes/{recipe}/mapping', { recipe }, { registry })),
        ]),
      },
    ],
  };
}
