import type { Digest } from '../base/digest.ts';
import type { Platform } from '../oci/platform.ts';
import type { RepositoryReference } from '../oci/reference.ts';

export const recipeApiVersion = 'recipe.tobby.dev/v1alpha1';

export interface Metadata {
  readonly name: string;
  readonly description?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

export type IngredientKind = 'ContainerImage' | 'HelmChart' | 'OCIArtifact' | 'FileSet';

export interface Ingredient {
  readonly name: string;
  readonly kind: IngredientKind;
  /** As parsed; the host is lower-case, otherwise as written. */
  readonly ref: RepositoryReference;
  /** Exact tag, or a constraint in a draft. */
  readonly version: string;
  readonly digest?: Digest;
  /** Empty: all. */
  readonly platforms: readonly Platform[];
  readonly vendorDependencies: boolean;
  readonly artifactType?: string;
  readonly extract?: { readonly paths: readonly string[] };
}

export interface Recipe {
  readonly kind: 'Recipe';
  readonly metadata: Metadata & { readonly version: string };
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
