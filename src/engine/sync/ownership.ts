import type { Digest } from '../../base/digest.ts';
import type { StoreIndex } from '../../catalog/model.ts';
import type { Owner } from '../../contract/content.ts';
import type { ContentKind } from '../../oci/kind.ts';
import { fallbackTag, signatureTag } from '../../oci/reference.ts';
import { listBelow } from '../copy/list-below.ts';
import type { PlannedRecipeWork } from './plan-sync.ts';
import type { VerifiedRecipe } from './resolve-recipe.ts';

export interface OwnedTag {
  readonly repository: string;
  readonly tag: string;
  readonly digest: Digest;
  readonly kind: ContentKind;
  readonly owner: Owner;
}

/** The owner record of content of a recipe. */
export function toOwner(recipe: VerifiedRecipe): Owner {
  return { provenance: 'recipe', recipe: recipe.key, cookbook: recipe.cookbook };
}

type TagIndex = Pick<StoreIndex, 'tag' | 'manifest'>;

/**
 * Lists the tags that a recipe owns: its own, those of its ingredients, and those of their stored signatures,
 * the signatures of platform images included. The recipe's own tag is last.
 */
export function listOwnedTags(work: PlannedRecipeWork, index: TagIndex): readonly OwnedTag[] {
  const { recipe } = work.resolution;
  if (recipe.outcome === 'failed') return [];
  const owner = toOwner(recipe);
  const owned: OwnedTag[] = [];
  const add = (repository: string, tag: string, digest: Digest, kind: ContentKind) => {
    for (const subject of listBelow(digest, index)) {
      for (const attachment of [signatureTag(subject), fallbackTag(subject)]) {
        const known = attachment === undefined ? undefined : index.tag(repository, attachment);
        if (known && !known.held)
          owned.push({ repository, tag: known.tag, digest: known.digest, kind: known.kind, owner });
      }
    }
    owned.push({ repository, tag, digest, kind, owner });
  };
  for (const { ingredient, tag } of work.ingredients)
    add(ingredient.repository, tag, ingredient.ingredient.digest, ingredient.ingredient.kind);
  add(recipe.repository, recipe.version, recipe.digest, 'Recipe');
  return owned;
}
