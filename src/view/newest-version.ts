import { isAttachmentTag } from '../oci/reference.ts';
import { selectNewest } from '../recipe/version.ts';
import type { ViewParts } from './parts.ts';

/** Versions of a repository among which the newest one is looked for; a list must not read more for a row. */
const most = 1000;

/**
 * Finds the newest version of a repository that may be shown.
 *
 * @param versions their number
 * @returns undefined when there is none, or there are too many to look at
 */
export function newestVersion(
  { store: { index }, gate }: Pick<ViewParts, 'store' | 'gate'>,
  repository: string,
  versions: number,
): string | undefined {
  if (versions > most) return undefined;
  const newest = index.newestOf(repository);
  if (newest === undefined || gate.allowsTag(repository, newest)) return newest;
  const shown = index
    .tagNames(repository)
    .filter((tag) => !isAttachmentTag(tag) && gate.allowsTag(repository, tag));
  return selectNewest(shown);
}
