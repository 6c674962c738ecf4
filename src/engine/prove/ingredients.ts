import type { IngredientKind } from '../../contract/common.ts';
import { formatReference, type RepositoryReference } from '../../oci/reference.ts';
import type { CookedRecipe } from '../../recipe/model.ts';
import { isSvcError } from '../../text/error.ts';
import type { Destination } from '../promotion/model.ts';
import { toDestination } from '../sync/recipe-places.ts';
import type { CarriedFolder } from './carried-folder.ts';

/** An ingredient of a verified recipe of the delivery. */
export interface CarriedIngredient {
  readonly folder: CarriedFolder;
  readonly ingredient: CookedRecipe['ingredients'][number];
  /** Repository in the store of the folder. */
  readonly repository: string;
  /** Repository at the destination. */
  readonly place: RepositoryReference;
  /** Nominal reference `<host>/<path>:<tag>`. */
  readonly reference: string;
  /** All ingredients of the recipes that have it. */
  readonly beside: readonly CookedRecipe['ingredients'][number][];
}

/** Lists the ingredients of one kind, each content under each reference once. */
export function listIngredients(
  folders: readonly CarriedFolder[],
  kind: IngredientKind,
  destination: Destination,
): readonly CarriedIngredient[] {
  const found = new Map<string, CarriedIngredient>();
  for (const folder of folders)
    for (const { recipe, record } of folder.verification.cleared) {
      const repositories = new Map(record.ingredients.map(({ name, repository }) => [name, repository]));
      for (const ingredient of recipe.ingredients) {
        const repository = repositories.get(ingredient.name);
        if (ingredient.kind !== kind || repository === undefined) continue;
        const { ref, version, digest } = ingredient;
        const reference = `${formatReference(ref)}:${version}`;
        const place = toPlace(destination, ref);
        if (place === undefined) continue;
        const key = `${reference}@${digest}`;
        const beside = [...(found.get(key)?.beside ?? []), ...recipe.ingredients];
        found.set(key, { folder, ingredient, repository, place, reference, beside });
      }
    }
  return [...found.values()];
}

/** The repository at the destination. @returns undefined for a name that no registry allows */
export function toPlace(destination: Destination, ref: RepositoryReference): RepositoryReference | undefined {
  try {
    return toDestination(destination, ref);
  } catch (error) {
    if (isSvcError(error, 'SVC-DST-001')) return undefined;
    throw error;
  }
}
