import type { Digest } from '../base/digest.ts';
import type { RecipeMetadata, WrittenIngredient } from '../contract/authoring.ts';
import type { IngredientKind } from '../contract/common.ts';
import type { Platform } from '../oci/platform.ts';
import type { RepositoryReference } from '../oci/reference.ts';

export const recipeApiVersion = 'recipe.tobby.dev/v1alpha1';

export type Metadata = Omit<RecipeMetadata, 'version'>;
export type { IngredientKind };

/** An ingredient with its reference and platforms parsed. */
export interface Ingredient extends Omit<WrittenIngredient, 'ref' | 'platforms'> {
  /** The host is lower-case, otherwise as written. */
  readonly ref: RepositoryReference;
  /** Empty: all. */
  readonly platforms: readonly Platform[];
}

export interface Recipe {
  readonly kind: 'Recipe';
  readonly metadata: RecipeMetadata;
  readonly ingredients: readonly Ingredient[];
}

/** A recipe in which every ingredient has an exact tag and a digest. */
export interface CookedRecipe extends Recipe {
  readonly ingredients: readonly (Ingredient & { readonly digest: Digest })[];
}

export interface RetrieverEntry {
  readonly name: string;
  readonly version: string;
  /** The entry's own cookbook or the document's. */
  readonly cookbook: RepositoryReference;
}

export interface Retriever {
  readonly kind: 'Retriever';
  readonly metadata: Metadata;
  readonly cookbook: RepositoryReference;
  readonly recipes: readonly RetrieverEntry[];
}
