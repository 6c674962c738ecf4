import { svcError } from '../../src/base/error.ts';
import { isHost } from '../../src/oci/reference.ts';
import type { ListedRecipe } from '../../src/operation/list-recipes.ts';
import type { RecipeMapping } from '../../src/operation/map-recipe.ts';
import type { RegistryBase } from '../../src/recipe/node-mirrors.ts';
import type { ViewParts } from './parts.ts';
import { requireOpen } from './require-open.ts';

type Parts = Pick<ViewParts, 'operations' | 'gate'>;

/** Lists the recipes of the store; while the gate is closed their names only, because the records of a medium are unverified. */
export async function listRecipes({
  operations,
  gate,
}: Parts): Promise<readonly (ListedRecipe | Pick<ListedRecipe, 'name'>)[]> {
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

export interface MappingQuery {
  readonly recipe: string;
  /** Address of this instance, as the request reached it. */
  readonly reached: RegistryBase;
  /** `[http://|https://]host[:port]` by which nodes reach the registry. Default: the destination, else `reached`. */
  readonly registry?: string | undefined;
}

/**
 * Shows where the ingredients of a recipe are, with mirror configurations for nodes.
 *
 * @throws SVC-REG-005 without such a recipe, SVC-VAL-001 for a wrong `registry`; SVC-MED-030 or SVC-MED-032 while the
 *   gate is closed
 */
export async function showMapping(
  parts: Parts,
  { recipe, reached, registry }: MappingQuery,
): Promise<RecipeMapping> {
  requireOpen(parts);
  const { operations, gate } = parts;
  const records = (await operations.recipes()).filter(
    ({ name, repository, tag }) => name === recipe && gate.allowsTag(repository, tag),
  );
  return operations.mapRecipe(records, {
    recipe,
    reached,
    registry: registry === undefined ? undefined : parseRegistry(registry, reached.scheme),
  });
}
