import type { RepositoryReference } from '../../oci/reference.ts';
import type { Retriever } from '../../recipe/model.ts';
import {
  destinationRecipeRepository,
  destinationRepository,
  localRepository,
  recipeRepository,
} from '../../recipe/relocation.ts';
import { isSvcError } from '../../text/error.ts';
import type { Destination } from '../promotion/model.ts';

/** Where an ingredient is in the store, and the repository that its recipe names. */
interface IngredientPlace {
  /** Local repository. */
  readonly repository: string;
  readonly nominal: RepositoryReference;
}

/** Repository of an ingredient at the destination. @throws SVC-DST-001 */
export function toDestination(destination: Destination, nominal: RepositoryReference): RepositoryReference {
  return { host: destination.registry, repository: destinationRepository(destination, nominal) };
}

/** Repository of a recipe at the destination. @throws SVC-DST-001 */
export function toRecipeDestination(destination: Destination, name: string): RepositoryReference {
  return { host: destination.registry, repository: destinationRecipeRepository(destination.cookbook, name) };
}

/** Whether a repository of the destination is one that recipes are promoted to. */
export function isInCookbook(repository: string, { cookbook }: Pick<Destination, 'cookbook'>): boolean {
  return repository.slice(0, repository.lastIndexOf('/')) === cookbook;
}

const isInvalidName = (error: unknown): boolean => isSvcError(error, 'SVC-DST-001');

/** Lists the local repositories of the recipes that a Retriever names, resolved or not. */
export function listRecipeRepositories(
  { recipes }: Pick<Retriever, 'recipes'>,
  basePrefix: string | undefined,
): ReadonlySet<string> {
  const repositories = new Set<string>();
  for (const { cookbook, name } of recipes) {
    try {
      repositories.add(localRepository(recipeRepository(cookbook, name), basePrefix));
    } catch (error) {
      // its entry fails with this error
      if (!isInvalidName(error)) throw error;
    }
  }
  return repositories;
}

/**
 * Creates a predicate: whether an ingredient is in a repository of recipes, in the store or at the destination.
 *
 * @param isOfRecipe whether a local repository has recipes
 */
export function toRecipePlaces(
  isOfRecipe: (repository: string) => boolean,
  destination: Destination | undefined,
): (place: IngredientPlace) => boolean {
  return ({ repository, nominal }) => {
    if (isOfRecipe(repository)) return true;
    if (destination === undefined) return false;
    try {
      return isInCookbook(destinationRepository(destination, nominal), destination);
    } catch (error) {
      // reported when it is pushed
      if (isInvalidName(error)) return false;
      throw error;
    }
  };
}
