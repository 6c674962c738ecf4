import type { Reference } from '../../oci/reference.ts';
import { readImageName } from '../foreign/image-name.ts';
import type { Candidate, NamedImage } from '../foreign/model.ts';

/**
 * Converts the images of one source to candidates. The readers have checked the names; names that are proposed only and
 * are no image are dropped.
 *
 * @param source name of the source, the beginning of each origin
 * @param platforms that apply to every image; empty: those that the source asks for
 */
export function toCandidates(
  images: readonly NamedImage[],
  source: string,
  platforms: readonly string[],
): readonly Candidate[] {
  return images.flatMap((named): readonly Candidate[] => {
    const name = readImageName(named.image);
    if ('rule' in name) return [];
    const { reference } = name;
    const own = platforms.length === 0 && named.platform !== undefined ? [named.platform] : platforms;
    return [
      {
        kind: 'ContainerImage',
        reference,
        version: reference.tag ?? named.tag,
        platforms: own,
        doubt: named.doubt,
        // a line of a list is written as compilers write it: images.txt:3
        origins: [
          `${source}${named.where.startsWith(':') ? '' : ': '}${named.where}${named.others > 0 ? ` (+${named.others})` : ''}`,
        ],
      },
    ];
  });
}

const placeOf = ({ host, repository }: Reference): string => `${host}/${repository}`;

/**
 * Unites candidates that are the same: kind, repository, version and digest. A version that one names with its digest
 * and another without is one. A candidate that is certain in one source is certain.
 */
export function mergeCandidates(candidates: readonly Candidate[]): readonly Candidate[] {
  const digests = new Map<string, string>();
  for (const { kind, reference, version } of candidates)
    if (reference.digest !== undefined && version !== undefined)
      digests.set(`${kind} ${placeOf(reference)} ${version}`, reference.digest);
  const merged = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const { kind, reference, version } = candidate;
    const tagged = `${kind} ${placeOf(reference)} ${version ?? ''}`;
    const key = `${tagged} ${reference.digest ?? digests.get(tagged) ?? ''}`;
    const known = merged.get(key);
    merged.set(key, known === undefined ? candidate : unite(known, candidate));
  }
  return [...merged.values()];
}

function unite(a: Candidate, b: Candidate): Candidate {
  const isCertain = a.doubt === undefined || b.doubt === undefined;
  const digest = a.reference.digest ?? b.reference.digest;
  const certain = [a, b].filter(({ doubt }) => !isCertain || doubt === undefined);
  return {
    kind: a.kind,
    reference: digest === undefined ? a.reference : { ...a.reference, digest },
    version: a.version ?? b.version,
    // no platforms means all of them
    platforms: [a, b].some(({ platforms }) => platforms.length === 0)
      ? []
      : [...new Set([...a.platforms, ...b.platforms])],
    doubt: isCertain ? undefined : a.doubt,
    origins: [...new Set(certain.flatMap(({ origins }) => origins))],
  };
}
