import { toWithheldError } from '../base/gate-refusal.ts';
import { hasWords } from '../base/words.ts';
import { toUnknownName } from '../catalog/unknown-name.ts';
import type { RegistryBase } from '../client/node-mirrors.ts';
import { ofAddress } from '../contract/check-value.ts';
import type { NoMember, QueryOf } from '../contract/operation.ts';
import type { listRecipes as operation, recipeOrders } from '../contract/operations/recipes.ts';
import { type SortValues, sortRows } from '../contract/operations/sorting.ts';
import type { RecipeMapping } from '../contract/recipe.ts';
import { isHost, isLiteralHost } from '../oci/reference.ts';
import { type ListedRecipe, listRecipes as listAll } from '../operation/list-recipes.ts';
import { mapRecipe } from '../operation/map-recipe.ts';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';
import type { TrustRoot } from '../trust/model.ts';
import type { ViewParts } from './parts.ts';
import { markDamaged } from './recipe/damage.ts';
import { requireOpen } from './require-open.ts';

type Parts = Pick<ViewParts, 'store' | 'instance' | 'gate'>;

/**
 * Lists the recipes of the store whose name contains each word of `q`; while the gate is closed their names only, because the records of
 * a medium are unverified.
 */
export async function listRecipes(
  { store, instance, gate }: Parts,
  { q = '', sort, order, ...others }: QueryOf<typeof operation.query> = {},
): Promise<readonly (ListedRecipe | Pick<ListedRecipe, 'name'>)[]> {
  others satisfies NoMember;
  const all = await listAll(instance.context.config, store);
  const isNamed = hasWords(q);
  const recipes = q.trim() === '' ? all : all.filter(({ name }) => isNamed(name));
  if (gate.refusal() !== undefined) return recipes.map(({ name }) => ({ name }));
  // the same object as long as no recipe changes, so that results made from it are reused
  const shown = gate.guarded
    ? recipes.filter(({ repository, tag }) => gate.allowsTag(repository, tag))
    : await markDamaged({ store, gate }, recipes);
  if (sort === undefined && order === undefined) return shown;
  return sortRows(shown, recipeValues(instance.context.policy.roots), { sort, order });
}

/**
 * The values by which recipes are ordered. By signature, those that no key of today approves come first.
 *
 * @param roots of today
 */
export const recipeValues = (
  roots: readonly Pick<TrustRoot, 'fingerprint'>[],
): SortValues<ListedRecipe, (typeof recipeOrders)[number]> => ({
  name: ({ name }) => name,
  landed: (recipe) => ('resolvedAt' in recipe ? recipe.resolvedAt : undefined),
  ingredients: ({ ingredients }) => ingredients.length,
  signature: ({ verified, keyFingerprint }) => {
    if (!verified) return 0;
    if (keyFingerprint === undefined) return 2;
    return roots.some(({ fingerprint }) => fingerprint === keyFingerprint) ? 3 : 1;
  },
});

/**
 * Lists the versions of a recipe that may be shown, of any cookbook.
 *
 * @throws SVC-MED-030 or SVC-MED-032 while the gate is closed, SVC-MED-032 when none of its versions passed, SVC-REG-005
 *   when the store has none
 */
export async function listVersions(
  { store, instance, gate }: Parts,
  recipe: string,
): Promise<readonly ListedRecipe[]> {
  requireOpen({ gate });
  const recipes = await listAll(instance.context.config, store);
  const isShown = ({ repository, tag }: ListedRecipe) => gate.allowsTag(repository, tag);
  const versions = recipes.filter(({ name }) => name === recipe);
  if (versions.length === 0)
    throw toUnknownName(
      recipe,
      recipes.filter(isShown).map(({ name }) => name),
    );
  const shown = await markDamaged({ store, gate }, versions.filter(isShown));
  if (shown.length === 0) throw toWithheldError(gate, store.mediaId, versions[0]!);
  return shown;
}

/** @throws SVC-VAL-001 */
export function parseRegistry(text: string, own: RegistryBase['scheme']): RegistryBase {
  const [, scheme = own, host = ''] = /^(?:(https?):\/\/)?(.*)$/.exec(text) ?? [];
  if (!isHost(host) && !isLiteralHost(host))
    throw svcError('SVC-VAL-001', {
      file: ofAddress,
      path: '/registry',
      rule: rule([
        'must be <host>[:<port>], optionally with http:// or https://',
        fr`doit être <hôte>[:<port>], avec ou sans http:// ou https://`,
      ]),
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
 * @throws the errors of {@link listVersions}; SVC-VAL-001 for a wrong `registry`
 */
export async function showMapping(
  parts: Parts,
  { recipe, reached, registry }: MappingQuery,
): Promise<RecipeMapping> {
  const records = await listVersions(parts, recipe);
  return mapRecipe(parts.instance.context.config, records, {
    recipe,
    reached,
    registry: registry === undefined ? undefined : parseRegistry(registry, reached.scheme),
  });
}
