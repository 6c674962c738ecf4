import type { Digest } from '../../base/digest.ts';
import { runAtOnce, type Steps } from '../../base/pacer.ts';
import { selectAlias, toAliasTag, toIngredientStem } from '../../catalog/re-point.ts';
import { parseVersionTag } from '../../recipe/version.ts';

/** An ingredient's pin and its repository. */
export interface PinnedIngredient {
  readonly repository: string;
  readonly version: string;
  readonly digest: Digest;
  /** Whether the repository, here or at the destination, is one of a recipe: its versions are those of the recipe. */
  readonly isInCookbook?: boolean;
}

/**
 * Selects the tag of each ingredient, in the store and at a destination, in the order of the ingredients. No two
 * digests get the same tag of a repository. Where recipes pin different content under one tag, the first keeps the tag.
 * The others get an alias of tag and digest: they are used by digest. A tag that is the alias of another pin is never
 * given to other content, even if that pin does not need its alias. The same applies to the tag of a recipe. In the
 * repository of a recipe, no ingredient gets a tag that is a version, but the recipe published under it.
 *
 * @param taken returns the digest for which a tag is kept now or after the run
 * @param published returns the recipe that is published under a tag; default: `taken`
 */
export function selectTags(
  ingredients: readonly PinnedIngredient[],
  taken?: HolderOf,
  published?: HolderOf,
): readonly string[] {
  return runAtOnce(selectTagsSteps(ingredients, taken, published));
}

/** Returns the digest that holds a tag. */
type HolderOf = (repository: string, tag: string) => Digest | undefined;

/** As {@link selectTags}, in short steps. */
export function* selectTagsSteps(
  ingredients: readonly PinnedIngredient[],
  taken: HolderOf = () => undefined,
  published: HolderOf = taken,
): Steps<readonly string[]> {
  const nameOf = (repository: string, tag: string) => `${repository}:${tag}`;
  const isOfRecipe = ({ repository, digest, isInCookbook }: PinnedIngredient, tag: string): boolean =>
    isInCookbook === true && parseVersionTag(tag) !== undefined && published(repository, tag) !== digest;
  const toStem = (pin: PinnedIngredient): string =>
    isOfRecipe(pin, pin.version) ? toIngredientStem(pin.version) : pin.version;
  /** Aliases of all pins: a tag with the form of an alias belongs to its digest. */
  const reserved = new Map<string, Digest>();
  for (const pin of ingredients) {
    const alias = nameOf(pin.repository, toAliasTag(toStem(pin), pin.digest));
    if (!reserved.has(alias)) reserved.set(alias, pin.digest);
    yield;
  }
  const given = new Map<string, Digest>();
  const tags: string[] = [];
  for (const pin of ingredients) {
    const { repository, version, digest } = pin;
    const isFree = (tag: string): boolean => {
      const name = nameOf(repository, tag);
      const holder = taken(repository, tag) ?? reserved.get(name) ?? given.get(name) ?? digest;
      return holder === digest && !isOfRecipe(pin, tag);
    };
    const tag = isFree(version) ? version : selectAlias(toStem(pin), digest, isFree);
    given.set(nameOf(repository, tag), digest);
    tags.push(tag);
    yield;
  }
  return tags;
}
