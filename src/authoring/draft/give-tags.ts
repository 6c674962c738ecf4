import { forEachBounded } from '../../base/concurrency.ts';
import type { CallOptions } from '../../oci/ports.ts';
import { formatReference, isAttachmentTag, type Reference } from '../../oci/reference.ts';
import { compareParsed, parseVersionTag } from '../../recipe/version.ts';
import type { RemoteReading } from '../../remote/model.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import type { NamedCandidate } from './name-ingredients.ts';

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
  access: RemoteReading,
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

/** Tags of which the digest is asked. */
const mostAsked = 200;
const parallel = 4;

/**
 * Finds a tag of an image named by its digest alone: the highest version with the digest, else any other tag. Asks for
 * at most 200 tags, versions first.
 *
 * @returns undefined when none of them has the digest
 * @throws errors of the registry
 */
async function findTag(
  reference: Reference,
  { registry, signal }: RemoteReading,
): Promise<string | undefined> {
  const call: CallOptions = { signal };
  const remote = registry.repository(reference);
  const tags = orderTags(await remote.listTags(call)).slice(0, mostAsked);
  let best = tags.length;
  await forEachBounded(tags, parallel, async (tag, i) => {
    if (i >= best) return;
    const found = await remote.resolve(tag, call);
    if (found?.digest === reference.digest) best = Math.min(best, i);
  });
  return tags[best];
}

/** Versions from the highest to the lowest, then other tags. */
function orderTags(tags: readonly string[]): readonly string[] {
  const own = tags.filter((tag) => !isAttachmentTag(tag));
  const versions = own.flatMap((tag) => {
    const version = parseVersionTag(tag);
    return version ? [{ tag, version }] : [];
  });
  versions.sort((a, b) => compareParsed(b.version, a.version));
  return [...versions.map(({ tag }) => tag), ...own.filter((tag) => !parseVersionTag(tag))];
}
