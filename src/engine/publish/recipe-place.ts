import { parseReference, type Reference } from '../../oci/reference.ts';
import { svcError } from '../../text/error.ts';

/** Where a recipe is published: `<registry>/<cookbook>/<name>:<version>`. */
export type RecipePlace = Reference & { readonly tag: string; readonly digest?: never };

/** Parses the reference of a recipe to publish. @throws SVC-REG-001 */
export function parseRecipePlace(text: string): RecipePlace {
  const { host, repository, tag, digest } = parseReference(text);
  const refuse = (rule: string) => svcError('SVC-REG-001', { reference: text, rule });
  if (digest !== undefined) throw refuse('must have a version, not a digest');
  if (tag === undefined) throw refuse('the version is missing');
  if (!repository.includes('/')) throw refuse('must name a cookbook before the recipe');
  return { host, repository, tag };
}
