import type { Digest } from '../../base/digest.ts';
import { selectAlias, toAliasTag } from '../../catalog/re-point.ts';

/** An ingredient's pin and its repository. */
export interface PinnedIngredient {
  readonly repository: string;
  readonly version: string;
  readonly digest: Digest;
}

/**
 * Selects the tag of each ingredient, in the store and at a destination, in the order of the ingredients. No two digests
 * get the same tag of a repository. Where recipes pin different content under one tag, the first keeps the tag, and the
 * others get an alias of tag and digest: they are used by digest. A tag that is the alias of another pin is never given to
 * an ingredient with other content, whether that pin needs its alias or not. The same applies to the tag of a recipe.
 *
 * @param recipeAt returns the recipe that a tag names now or after the run
 */
export function selectTags(
  ingredients: readonly PinnedIngredient[],
  recipeAt: (repository: string, tag: string) => Digest | undefined = () => undefined,
): readonly string[] {
  const nameOf = (repository: string, tag: string) => `${repository}:${tag}`;
  /** Aliases of all pins: what has the form of an alias is its digest's. */
  const reserved = new Map<string, Digest>();
  for (const { repository, version, digest } of ingredients) {
    const alias = nameOf(repository, toAliasTag(version, digest));
    if (!reserved.has(alias)) reserved.set(alias, digest);
  }
  const taken = new Map<string, Digest>();
  return ingredients.map(({ repository, version, digest }) => {
    const isFree = (tag: string): boolean => {
      const name = nameOf(repository, tag);
      const holder = recipeAt(repository, tag) ?? reserved.get(name) ?? taken.get(name) ?? digest;
      return holder === digest;
    };
    const tag = isFree(version) ? version : selectAlias(version, digest, isFree);
    taken.set(nameOf(repository, tag), digest);
    return tag;
  });
}
