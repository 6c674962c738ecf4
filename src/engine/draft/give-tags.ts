import { formatReference } from '../../oci/reference.ts';
import type { NamedCandidate } from '../../recipe/draft/name-ingredients.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { findTag } from './find-tag.ts';
import type { DraftAccess } from './model.ts';

/** Names of ingredients in an error. */
const shownNames = 20;

/**
 * Gives a tag to every ingredient that has none: the one that is named, else one that has its digest.
 *
 * @param namedTags tag or constraint by the name of the ingredient
 * @param recipe name of the recipe in errors
 * @throws SVC-DRF-001 with all ingredients without one; SVC-VAL-001 for a name that no ingredient has
 */
export async function giveTags(
  candidates: readonly NamedCandidate[],
  namedTags: ReadonlyMap<string, string>,
  recipe: string,
  access: DraftAccess,
): Promise<readonly NamedCandidate[]> {
  const names = new Set(candidates.map(({ name }) => name));
  for (const name of namedTags.keys())
    if (!names.has(name))
      throw svcError('SVC-VAL-001', {
        file: `--tag ${name}`,
        rule: rule(
          [
            'no ingredient has this name: {recipe} has {names}',
            fr`aucun ingrédient n’a ce nom : {recipe} a {names}`,
          ],
          { recipe, names: listNames(names) },
        ),
        problem: 'name',
      });
  const tagged: NamedCandidate[] = [];
  const untagged: { image: string; flag: string }[] = [];
  for (const candidate of candidates) {
    const { name, reference, doubt, origins } = candidate;
    const known = namedTags.get(name) ?? candidate.version;
    const isSettled = known !== undefined || doubt !== undefined || reference.digest === undefined;
    const version = isSettled ? known : await findTag(reference, access);
    if (version !== undefined || doubt !== undefined) tagged.push({ ...candidate, version });
    else untagged.push({ image: `${formatReference(reference)} (${origins[0]})`, flag: `--tag ${name}=TAG` });
  }
  if (untagged.length === 0) return tagged;
  throw svcError('SVC-DRF-001', {
    images: untagged.map(({ image }) => image),
    flags: untagged.map(({ flag }) => flag).join(' '),
  });
}

/** The first names, and how many follow. */
function listNames(names: ReadonlySet<string>): string {
  const shown = [...names].slice(0, shownNames).join(', ');
  return names.size > shownNames ? `${shown}, …` : shown;
}
