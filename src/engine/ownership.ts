import type { Digest } from '../base/digest.ts';
import type { ContentKind } from '../oci/kind.ts';
import { fallbackTag, signatureTag } from '../oci/reference.ts';
import type { Owner, StoreIndex } from '../store/model.ts';
import type { PlannedRecipeWork } from './plan-sync.ts';
import type { Ownership } from './prune.ts';
import type { VerifiedRecipe } from './resolve-recipe.ts';

export interface OwnedTag {
  readonly repository: string;
  readonly tag: string;
  readonly digest: Digest;
  readonly kind: ContentKind;
  readonly owner: Owner;
}

/** The owner that a recipe makes of what it brings. */
export function toOwner(recipe: VerifiedRecipe): Owner {
  return { provenance: 'recipe', recipe: recipe.key, cookbook: recipe.cookbook };
}

/**
 * The tags that a recipe answers for: its own, its ingredients', and those of their signatures that the store has. The
 * recipe's own tag comes last.
 */
export function listOwnedTags(work: PlannedRecipeWork, index: Pick<StoreIndex, 'tag'>): readonly OwnedTag[] {
  const { recipe } = work.resolution;
  if (recipe.outcome === 'failed') return [];
  const owner = toOwner(recipe);
  const owned: OwnedTag[] = [];
  const add = (repository: string, tag: string, digest: Digest, kind: ContentKind) => {
    for (const attachment of [signatureTag(digest), fallbackTag(digest)]) {
      const known = attachment === undefined ? undefined : index.tag(repository, attachment);
      if (known && !known.held)
        owned.push({ repository, tag: known.tag, digest: known.digest, kind: known.kind, owner });
    }
    owned.push({ repository, tag, digest, kind, owner });
  };
  for (const { ingredient, tag } of work.ingredients)
    add(ingredient.repository, tag, ingredient.ingredient.digest, ingredient.ingredient.kind);
  add(recipe.repository, recipe.version, recipe.digest, 'Recipe');
  return owned;
}

/** Who owns what once these recipes are complete. */
export function toOwnership(works: readonly PlannedRecipeWork[], index: Pick<StoreIndex, 'tag'>): Ownership {
  const ownership = new Map<string, Owner[]>();
  for (const work of works) {
    for (const { repository, tag, owner } of listOwnedTags(work, index)) {
      const key = `${repository}:${tag}`;
      const owners = ownership.get(key);
      if (owners) owners.push(owner);
      else ownership.set(key, [owner]);
    }
  }
  return ownership;
}
