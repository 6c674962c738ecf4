import { svcError } from '../../src/base/error.ts';
import { isHost } from '../../src/oci/reference.ts';
import type { RegistryBase } from '../../src/recipe/node-mirrors.ts';
import type { RecipeRecord } from '../../src/store/model.ts';
import type { ApiAnswer, ApiCall, ApiRoute } from './api-route.ts';
import { toReached } from './reached.ts';
import { requireOpen } from './require-open.ts';
import { ref } from './schema.ts';

/** What a carried store says of its recipes counts only for those that have been verified here; before, they have names. */
function listRecipes({ operations, gate }: ApiCall): readonly (RecipeRecord | Pick<RecipeRecord, 'name'>)[] {
  const recipes = operations.recipes();
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
      rule: 'must be <host>[:<port>], with http:// or https:// before it where it matters',
    });
  return { scheme: scheme as RegistryBase['scheme'], host };
}

function getMapping(call: ApiCall): ApiAnswer {
  requireOpen(call);
  const { operations, gate, query } = call;
  const recipe = call.path.recipe ?? '';
  const records = operations
    .recipes()
    .filter(({ name, repository, tag }) => name === recipe && gate.allowsTag(repository, tag));
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
    handler: (call) => ({ json: { recipes: listRecipes(call) } }),
  },
  {
    method: 'GET',
    path: '/recipes/{recipe}/mapping',
    floor: 'viewer',
    summary: 'Where the ingredients of a recipe are, and the files by which nodes find them',
    parameters: [
      {
        name: 'registry',
        schema: { type: 'string', maxLength: 270 },
        description:
          'How nodes reach the registry, `[http://|https://]host[:port]`; by default the destination, else this instance as it was reached',
      },
    ],
    success: { status: 200, description: 'The mapping', schema: ref('RecipeMapping') },
    handler: getMapping,
  },
];
