import type { Digest } from '../../base/digest.ts';
import { Once } from '../../base/once.ts';
import { sumContents } from '../../engine/copy/sum-contents.ts';
import { toWritten, type WrittenIngredient } from '../../recipe/compare-members.ts';
import { isConstraint } from '../../recipe/constraint.ts';
import type { CookedRecipe, Ingredient, Recipe } from '../../recipe/model.ts';
import type { ErrorRecord } from '../../text/error.ts';
import type { SignatureVerdict } from '../../trust/model.ts';
import { type CloseSources, closeRecipe } from './close-recipe.ts';
import type { OpenedRecipe } from './open-recipe.ts';

interface ShownIngredient extends WrittenIngredient {
  /** Platforms that are carried: those of the recipe, else those of the image. */
  readonly platforms: readonly string[];
  /** Platforms that the recipe names; empty: all of the image. */
  readonly namedPlatforms: readonly string[];
  /** Bytes of everything that it reaches; absent when it is not pinned or cannot be read. */
  readonly sizeBytes?: number;
  readonly error?: ErrorRecord;
}

/** All that the metadata say. */
type ShownMetadata = Recipe['metadata'];

/** The content of a recipe: every member of its document, and its ingredients in its place. */
export interface ShownRecipe extends ShownMetadata {
  /** File, reference or `<name>@<version>`. */
  readonly source: string;
  /** Digest of the published manifest; absent for a file. */
  readonly digest?: Digest;
  readonly documentDigest: Digest;
  /** Whether every ingredient has an exact tag and a digest. */
  readonly cooked: boolean;
  readonly cookedAt?: string;
  /** Absent for a file. */
  readonly signature?: SignatureVerdict;
  readonly ingredients: readonly ShownIngredient[];
  /** Bytes of all ingredients, each content once; absent when one of them is not known. */
  readonly sizeBytes?: number;
}

type Pinned = CookedRecipe['ingredients'][number];

const isPinned = (ingredient: Ingredient): ingredient is Pinned =>
  ingredient.digest !== undefined && !isConstraint(ingredient.version);

/**
 * Shows the content of a recipe, with the sizes and platforms of ingredients that its place has. A draft has them for
 * pinned ingredients.
 *
 * @throws the reason of the signal
 */
export async function showRecipe(opened: OpenedRecipe, signal?: AbortSignal): Promise<ShownRecipe> {
  const { recipe, named, digest, documentDigest, verdict, open } = opened;
  const { metadata } = recipe;
  const pinned = recipe.ingredients.filter(isPinned);
  const sources = { open, known: new Once() as CloseSources['known'], signal };
  const items = await closeRecipe({ ...recipe, ingredients: pinned }, sources);
  const closed = new Map(items.map((item) => [item.ingredient.name, item]));
  const ingredients = recipe.ingredients.map((ingredient): ShownIngredient => {
    const item = closed.get(ingredient.name);
    const content = item !== undefined && 'contents' in item ? item : undefined;
    const written = toWritten(ingredient);
    return {
      ...written,
      platforms: content?.platforms ?? written.platforms,
      namedPlatforms: written.platforms,
      ...(content === undefined ? {} : { sizeBytes: sumContents([content.contents]) }),
      ...(item !== undefined && 'error' in item ? { error: item.error } : {}),
    };
  });
  const contents = items.flatMap((item) => ('contents' in item ? [item.contents] : []));
  const cookedAt = metadata.annotations['recipe.tobby.dev/cooked-at'];
  return {
    ...metadata,
    source: named,
    digest,
    documentDigest,
    cooked: pinned.length === recipe.ingredients.length,
    cookedAt,
    signature: verdict,
    ingredients,
    ...(contents.length === ingredients.length ? { sizeBytes: sumContents(contents) } : {}),
  };
}
