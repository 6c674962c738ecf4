import type { Digest } from '../../base/digest.ts';
import type { StoreIndex } from '../../catalog/model.ts';
import { judgeTag } from '../../catalog/tag-rules.ts';
import type { Owner } from '../../contract/content.ts';

/**
 * Refuses a tag before the transfer that the store would refuse afterwards. An import never takes a tag from a recipe
 * or from packed content, and never changes a published recipe.
 *
 * @throws SVC-POL-002, SVC-POL-004, SVC-POL-005
 */
export function requireFreeTag(
  index: Pick<StoreIndex, 'tag' | 'publication'>,
  place: { readonly repository: string; readonly tag: string },
  digest: Digest,
  owner: Owner,
): void {
  const { repository, tag } = place;
  judgeTag(place, index.tag(repository, tag), index.publication(repository, tag), { digest, owner });
}

/** Whether a tag names other content, which no tag may reach after the import. */
export function isReplacement(
  index: Pick<StoreIndex, 'tag'>,
  repository: string,
  tag: string,
  candidate: Digest,
): boolean {
  const known = index.tag(repository, tag);
  return known !== undefined && known.digest !== candidate;
}
