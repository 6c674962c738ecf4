import { svcError } from '../../src/base/error.ts';
import { isHost } from '../../src/oci/reference.ts';
import type { ListedRecipe } from '../../src/operation/list-recipes.ts';
import type { RegistryBase } from '../../src/recipe/node-mirrors.ts';
import type { ApiAnswer, ApiCall, ApiRoute } from './api-route.ts';
import { toReached } from './reached.ts';
import { requireOpen } from './require-open.ts';
import { ref } from './schema.ts';

/** Lists the recipes: the names of all while the gate is closed, otherwise the recipes that it allows. */
async function listRecipes({
  operations,
  gate,
}: ApiCall): Promise<readonly (ListedRecipe | Pick<ListedRecipe, 'name'>)[]> {
  const recipes = await operations.recipes();
  if (gate.refusal() !== undefined) return recipes.map(({ name }) => ({ name }));
  return recipes.filter(({ repository, tag }) => gate.allowsTag(repository, tag));
}

/** @throws SVC-VAL-001 */
function parseRegistry(text: string, own: RegistryBase['scheme']): RegistryBase {
  const [, scheme = own, host = ''] = /^(?:(https?):\/\/)?(.*)$/.exec(text) ?? [];
  if (!isHost(host))
    throw svcError('SVC-VAL-001', {
      file: 'query',
      path: '/registry',
      rule: 'must be <host>[:<port>], optionally with http:// or https://',
    });
  return { scheme: scheme as RegistryBase['scheme'], host };
}

async function getMapping(call: ApiCall): Promise<ApiAnswer> {
  requireOpen(call);
  const { operations, gate, query } = call;
  const recipe = call.path.recipe ?? '';
  const records = (await operations.recipes()).filter(
    ({ name, repository, tag }) => name === recipe && gate.allowsTag(repository, tag),
  );
  const reached = toReached(call);
  const registry =
    query.registry === undefined ? undefined : parseRegistry(String(query.registry), reached.scheme);
  return { json: operations.mapRecipe(records, { recipe, reached, registry }) };
}

export const recipeRoutes: readonly ApiRoute[] = [
  {
    method: 'GET',
    path: '/recipes',
    floor: 'viewer',
    summary: 'Recipes in the store',
    success: { status: 200, description: 'The recipes', schema: ref('RecipeList') },
    handler: async (call) => ({ json: { recipes: await listRecipes(call) } }),
  },
  {
    method: 'GET',
    path: '/recipes/{recipe}/mapping',
    floor: 'viewer',
    summary: 'Locations of the ingredients of a recipe, and mirror configuration files for nodes',
    parameters: [
      {
        name: 'registry',
        schema: { type: 'string', minLength: 1, maxLength: 270 },
        description:
          'How nodes reach the registry, `[http://|https://]host[:port]`; default: the destination, else the host of this request',
      },
    ],
    success: { status: 200, description: 'The mapping', schema: ref('RecipeMapping') },
    handler: getMapping,
  },
];
