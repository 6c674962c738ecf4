import type { Digest } from '../../base/digest.ts';
import { isPacked } from '../../catalog/tag-rules.ts';
import type { Presence } from './presence.ts';
import type { Resolution, ResolvedIngredient } from './resolve-retriever.ts';
import { type PinnedIngredient, selectTags } from './select-tags.ts';

interface Claim {
  readonly pin: PinnedIngredient;
  /** Absent for the pin of a recipe that failed: it only keeps its tag. */
  readonly ingredient?: ResolvedIngredient;
}

/**
 * Assigns the tags of all ingredients of a run, in the order of the Retriever. A recipe that failed to resolve keeps
 * the tags of its ingredients from its last record. A source that is down for one run moves no tag.
 *
 * @param isInCookbook whether an ingredient is in a repository of recipes
 */
export function assignTags(
  resolutions: readonly Resolution[],
  presence: Pick<Presence, 'tag' | 'recipe' | 'published' | 'recordedPins'>,
  isInCookbook: (ingredient: ResolvedIngredient) => boolean,
): ReadonlyMap<ResolvedIngredient, string> {
  const coming = new Map<string, Digest>();
  for (const { recipe } of resolutions)
    if (recipe.outcome === 'verified') coming.set(`${recipe.repository}:${recipe.version}`, recipe.digest);
  const takenAt = (repository: string, tag: string): Digest | undefined => {
    const known = presence.tag(repository, tag);
    const taken = known === undefined ? presence.published(repository, tag) : undefined;
    const isKept = known !== undefined && (known.kind === 'Recipe' || isPacked(known.owners));
    return coming.get(`${repository}:${tag}`) ?? (isKept ? known.digest : taken);
  };
  const claims = resolutions.flatMap(({ recipe, ingredients }): Claim[] =>
    recipe.outcome === 'failed'
      ? presence.recordedPins(recipe.cookbook, recipe.entry.name, recipe.version).map((pin) => ({ pin }))
      : ingredients.map((ingredient) => ({
          ingredient,
          pin: {
            repository: ingredient.repository,
            version: ingredient.ingredient.version,
            digest: ingredient.ingredient.digest,
            isInCookbook: isInCookbook(ingredient),
          },
        })),
  );
  const selected = selectTags(
    claims.map(({ pin }) => pin),
    takenAt,
    (repository, tag) => coming.get(`${repository}:${tag}`) ?? presence.recipe(repository, tag),
  );
  return new Map(
    claims.flatMap(({ ingredient }, i) => (ingredient ? [[ingredient, selected[i]!] as const] : [])),
  );
}
