import type { Digest } from '../../base/digest.ts';
import { toAliasTag } from '../../catalog/re-point.ts';

/** An ingredient's pin and its repository. */
interface PinnedIngredient {
  readonly repository: string;
  readonly version: string;
  readonly digest: Digest;
}

/**
 * Selects the tag of each ingredient, in the store and at a destination, in the order of the ingredients.
 * Where recipes pin different content under one tag, the first keeps the tag, and the others get an alias of
 * tag and digest: they are used by digest. A tag of a recipe is never given to an ingredient with other
 * content.
 *
 * @param recipeAt returns the recipe that a tag names now or after the run
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
