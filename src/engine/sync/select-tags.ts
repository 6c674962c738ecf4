import type { Digest } from '../../base/digest.ts';
import { toAliasTag } from '../../catalog/re-point.ts';

/** What an ingredient is pinned to, and where it goes. */
interface PinnedIngredient {
  readonly repository: string;
  readonly version: string;
  readonly digest: Digest;
}

/**
 * The tag of each ingredient, in the store and at a destination, in the order of the ingredients. Where recipes pin
 * different content under one tag, the first keeps the tag and the others get one made of tag and digest: both are needed
 * by their digests. The tag of a recipe is the recipe's.
 *
 * @param recipeAt the recipe that a tag names, or is about to name
 */
export function selectTags(
  ingredients: readonly PinnedIngredient[],
  recipeAt: (repository: string, tag: string) => Digest | undefined = () => undefined,
): readonly string[] {
  const first = new Map<string, Digest>();
  return ingredients.map(({ repository, version, digest }) => {
    const name = `${repository}:${version}`;
    const taken = recipeAt(repository, version) ?? first.get(name) ?? digest;
    first.set(name, taken);
    return taken === digest ? version : toAliasTag(version, digest);
  });
}
