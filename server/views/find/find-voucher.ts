import type { Digest } from '../../../src/base/digest.ts';
import type { ListedRecipe } from '../../../src/operation/list-recipes.ts';
import { listRecipes } from '../../../src/view/recipes.ts';
import type { ViewParts } from '../parts.ts';
import { compareRecipes } from '../show-recipe.ts';

/** A verified recipe that names content by its digest. */
export interface Voucher extends Pick<ListedRecipe, 'name' | 'version' | 'cookbook'> {
  /** Name of the trust root whose key signed the recipe; undefined when the root was removed since. */
  readonly signer: string | undefined;
}

/**
 * Reads which content the signatures of recipes cover: a recipe pins each ingredient by its digest, and only the recipe is
 * signed. A recipe that was admitted without a signature covers nothing.
 *
 * @returns gives the newest such recipe for a digest
 */
export async function readVouchers(
  parts: Pick<ViewParts, 'store' | 'instance' | 'gate'>,
): Promise<(digest: Digest) => Voucher | undefined> {
  const found = new Map<Digest, ListedRecipe>();
  for (const recipe of await listRecipes(parts)) {
    if (!('version' in recipe) || !recipe.verified || recipe.keyFingerprint === undefined) continue;
    for (const { digest } of recipe.ingredients) {
      const other = found.get(digest);
      if (other === undefined || compareRecipes(recipe, other) < 0) found.set(digest, recipe);
    }
  }
  const { roots } = parts.instance.context.policy;
  return (asked) => {
    const recipe = found.get(asked);
    if (recipe === undefined) return undefined;
    const { name, version, cookbook, keyFingerprint } = recipe;
    return {
      name,
      version,
      cookbook,
      signer: roots.find((root) => root.fingerprint === keyFingerprint)?.name,
    };
  };
}
