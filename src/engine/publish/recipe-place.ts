import { parseReference, type Reference } from '../../oci/reference.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';

/** Where a recipe is published: `<registry>/<cookbook>/<name>:<version>`. */
export type RecipePlace = Reference & { readonly tag: string; readonly digest?: never };

/** Parses the reference of a recipe to publish. @throws SVC-REG-001 */
export function parseRecipePlace(text: string): RecipePlace {
  const { host, repository, tag, digest } = parseReference(text);
  const refuse = (broken: Rule) => svcError('SVC-REG-001', { reference: text, rule: broken });
  if (digest !== undefined)
    throw refuse(rule(['must have a version, not a digest', fr`doit avoir une version, pas une empreinte`]));
  if (tag === undefined) throw refuse(rule(['the version is missing', fr`la version manque`]));
  if (!repository.includes('/'))
    throw refuse(
      rule([
        'must name a cookbook before the recipe',
        fr`doit nommer un livre de recettes devant la recette`,
      ]),
    );
  return { host, repository, tag };
}
