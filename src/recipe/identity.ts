import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
import type { Recipe } from './model.ts';

const toRecipeRule = (name: string, version: string): Rule =>
  rule(['recipe {name} {version}', fr`recette {name} {version}`], { name, version });

/**
 * Checks that a recipe belongs to the place it was read from: the last path segment is its name and the tag its version.
 *
 * @param place repository path and tag
 * @param reference name of the place in the error
 * @throws SVC-SIG-003
 */
export function requireIdentity(
  recipe: Recipe,
  place: { readonly repository: string; readonly tag: string },
  reference: string,
): void {
  const { name, version } = recipe.metadata;
  const segment = place.repository.slice(place.repository.lastIndexOf('/') + 1);
  if (segment !== name || place.tag !== version)
    throw svcError('SVC-SIG-003', {
      expected: toRecipeRule(segment, place.tag),
      actual: toRecipeRule(name, version),
      reference,
    });
}
