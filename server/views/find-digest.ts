import type { Digest } from '../../src/base/digest.ts';
import { Pacer } from '../../src/base/pacer.ts';
import { isAttachmentTag } from '../../src/oci/reference.ts';
import { requireOpen } from '../../src/view/require-open.ts';
import type { ViewParts } from './parts.ts';

/** A place at which the store has a digest. */
export interface DigestPlace {
  readonly repository: string;
  /** The version that has the digest; absent where it is part of a version: a platform, a layer, a signature. */
  readonly tag?: string;
}

/** Maximum number of places listed. */
const mostPlaces = 50;

/**
 * Finds where the store has a digest: the versions that have it, else the repositories in which it is a part of a
 * version.
 *
 * @throws SVC-MED-030, SVC-MED-032 while the gate is closed
 */
export async function findDigest(
  parts: Pick<ViewParts, 'store' | 'gate'>,
  digest: Digest,
): Promise<readonly DigestPlace[]> {
  requireOpen(parts);
  const { store, gate } = parts;
  const { index } = store;
  const tagged = index
    .tagsOf(digest)
    .filter(({ repository, tag, held }) => !held && !isAttachmentTag(tag) && gate.allowsTag(repository, tag));
  if (tagged.length > 0)
    return tagged.slice(0, mostPlaces).map(({ repository, tag }) => ({ repository, tag }));
  if (index.sizeOf(digest) === undefined) return [];
  const pacer = new Pacer();
  const places: DigestPlace[] = [];
  for (const repository of index.repositories()) {
    if (pacer.isDue()) await pacer.rest();
    const isHere =
      (index.isManifestIn(repository, digest) && gate.allowsManifest(repository, digest)) ||
      (index.isBlobIn(repository, digest) && gate.allowsBlob(repository, digest));
    if (isHere && gate.allowsRepository(repository) && places.push({ repository }) === mostPlaces) break;
  }
  return places;
}
