import { type Digest, fingerprintOf, requireUnchanged } from '../base/digest.ts';
import type { StoreIndex } from './model.ts';

interface Place {
  readonly repository: string;
  readonly tag: string;
}

/** Fingerprint of the target of a tag, or of its absence, as a page shows it before the tag is set. */
export function fingerprintTag(index: Pick<StoreIndex, 'tag'>, { repository, tag }: Place): Digest {
  const known = index.tag(repository, tag);
  return fingerprintOf([repository, tag, known === undefined || known.held ? null : known.digest]);
}

/**
 * Refuses to set a tag that somebody else has set since it was shown. Call it in the synchronous step that sets the tag.
 *
 * @param digest the new target of the tag: nothing is lost when the tag has it already
 * @param shown as of `fingerprintTag`; undefined for a client that was shown nothing
 * @throws SVC-SRV-007
 */
export function requireShownTag(
  index: Pick<StoreIndex, 'tag'>,
  place: Place,
  digest: Digest,
  shown: string | undefined,
): void {
  const { repository, tag } = place;
  if (index.tag(repository, tag)?.digest === digest) return;
  requireUnchanged(shown, () => fingerprintTag(index, place), `${repository}:${tag}`);
}
