import type { Digest } from '../../src/base/digest.ts';
import { svcError } from '../../src/base/error.ts';
import type { RecipeIngredientRecord } from '../../src/catalog/model.ts';
import type { ListedRecipe } from '../../src/operation/list-recipes.ts';
import { compareVersions } from '../../src/recipe/constraint.ts';
import type { ViewParts } from './parts.ts';
import { requireOpen } from './require-open.ts';

type Parts = Pick<ViewParts, 'store' | 'operations' | 'gate'>;

/** An ingredient with what the store has of it. */
export interface IngredientView extends RecipeIngredientRecord {
  /** Bytes of everything present below it; absent when the store does not have its manifest. */
  readonly sizeBytes?: number;
  /** Whether the tag still names this digest, so that the version can be shown. */
  readonly isTagged: boolean;
}

export interface RecipeView {
  readonly name: string;
  /** The newest version first. */
  readonly versions: readonly ListedRecipe[];
  readonly selected: ListedRecipe;
  /** Ingredients of the selected version, in the order of the recipe. */
  readonly ingredients: readonly IngredientView[];
  /** Bytes of the ingredients that are present, each file counted once. */
  readonly sizeBytes: number;
}

export interface RecipeVersionQuery {
  readonly name: string;
  /** Default: the newest. */
  readonly version?: string | undefined;
  /** Nominal cookbook, where the version is in more than one. */
  readonly cookbook?: string | undefined;
}

/** When a recipe came into the store; undefined for one that was published here. */
export function landedAt(recipe: ListedRecipe): string | undefined {
  return 'resolvedAt' in recipe ? recipe.resolvedAt : undefined;
}

/** Orders versions of one recipe, the newest first: by version, then by the time of arrival. */
export function compareRecipes(a: ListedRecipe, b: ListedRecipe): number {
  const byVersion = compareVersions(b.version, a.version);
  return byVersion !== 0 ? byVersion : (landedAt(b) ?? '').localeCompare(landedAt(a) ?? '');
}

function measure(
  { store: { index } }: Parts,
  recipe: ListedRecipe,
): Pick<RecipeView, 'ingredients' | 'sizeBytes'> {
  const reached = new Set<Digest>();
  const ingredients = recipe.ingredients.map((ingredient): IngredientView => {
    const { repository, tag, digest } = ingredient;
    const isTagged = index.tag(repository, tag)?.digest === digest;
    if (index.manifest(digest) === undefined) return { ...ingredient, isTagged };
    for (const each of index.reach(digest)) reached.add(each);
    return { ...ingredient, isTagged, sizeBytes: index.sizeBelow(digest) };
  });
  let sizeBytes = 0;
  for (const digest of reached) sizeBytes += index.sizeOf(digest) ?? 0;
  return { ingredients, sizeBytes };
}

/**
 * Shows a recipe: its versions in the store, and what one of them is made of.
 *
 * @throws SVC-REG-005 without such a recipe or version; SVC-MED-030 or SVC-MED-032 while the gate is closed
 */
export async function showRecipe(
  parts: Parts,
  { name, version, cookbook }: RecipeVersionQuery,
): Promise<RecipeView> {
  requireOpen(parts);
  const { operations, gate } = parts;
  const versions = (await operations.recipes())
    .filter((each) => each.name === name && gate.allowsTag(each.repository, each.tag))
    .sort(compareRecipes);
  const selected = versions.find(
    (each) =>
      (version === undefined || each.version === version) &&
      (cookbook === undefined || each.cookbook === cookbook),
  );
  if (selected === undefined) {
    const reference = version === undefined ? name : `${name}:${version}`;
    throw svcError('SVC-REG-005', { reference: reference.slice(0, 256) });
  }
  return { name, versions, selected, ...measure(parts, selected) };
}
