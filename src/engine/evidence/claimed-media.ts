import type { Digest } from '../../base/digest.ts';
import type { Steps } from '../../base/pacer.ts';
import type { Evidence, EvidenceLine } from '../../contract/evidence.ts';
import { statementNames } from '../../custody/statement-names.ts';
import { mediumManifestPath } from '../../store/rest/media-manifest.ts';

/** What tells the media of a delivery from disks that only claim to be of it. */
export type MediaSources = Pick<Evidence, 'site' | 'signatures'> & {
  /** That of the site first. */
  readonly ledgers: readonly Pick<Evidence['ledgers'][number], 'lines'>[];
};

/** Whether a line is about a disk that names a delivery, without a passport, where another medium of it has one. */
export type IsClaimed = (line: EvidenceLine) => boolean;

/** The peer whose passport vouches for a medium that a line is about; undefined without one, and where the site wrote it. */
export type PeerOf = (line: EvidenceLine, manifest: Digest | undefined) => string | undefined;

/** Whether a line is about the writing of a medium: a later proof is made for any disk. */
export const isWriting = ({ type, step }: EvidenceLine): boolean =>
  type === 'written' || (type === 'proved' && step === 'event');

/** The digest of the `media.jsonl` that a line is about. */
export const findManifest = ({ subjects }: EvidenceLine): Digest | undefined =>
  subjects.find(({ name }) => name === mediumManifestPath)?.digest;

/**
 * Finds the lines of the own ledger about disks that only claim to be of a delivery. A medium is of it where the site wrote it,
 * where a passport of the pack covers it, or where a line says that the site verified its passport. A line without the digest of a
 * medium is about the one that a line before it names.
 */
export function* findClaimed({ site, ledgers: [own], signatures }: MediaSources): Steps<IsClaimed> {
  const lines = own?.lines ?? [];
  const vouched = new Set(signatures.flatMap(({ kind, subjects }) => (kind === 'passport' ? subjects : [])));
  for (const line of lines) {
    const manifest = findManifest(line);
    const isNamed = line.subjects.some(({ name }) => name === statementNames.passport);
    const isVouched = isNamed || line.details.vouched === true || isWriting(line);
    if (manifest !== undefined && isVouched) vouched.add(manifest);
    yield;
  }
  const known = new Set<unknown>();
  for (const line of lines) {
    const manifest = findManifest(line);
    if (manifest !== undefined && vouched.has(manifest)) known.add(line.details.delivery);
    yield;
  }
  known.delete(undefined);
  const claimed = new Set<number>();
  /** By the identifier of a medium, whether the last one under it only claims. */
  const last = new Map<unknown, boolean>();
  for (const line of known.size === 0 ? [] : lines) {
    yield;
    const manifest = findManifest(line);
    const { medium, delivery } = line.details;
    if (manifest !== undefined) last.set(medium, known.has(delivery) && !vouched.has(manifest));
    const isAbout = manifest !== undefined || (typeof medium === 'string' && line.step !== 'intent');
    if (isAbout && last.get(medium)) claimed.add(line.seq);
  }
  return (line) => line.site === site && claimed.has(line.seq);
}

/**
 * Finds whose passport vouches for the media of the own ledger. Lines of earlier versions do not name the peer, nor do those about
 * a medium whose passport is believed no more: then the first line that names one for this medium decides.
 */
export function* findPeers({ ledgers: [own] }: Pick<MediaSources, 'ledgers'>): Steps<PeerOf> {
  const first = new Map<Digest, string>();
  for (const line of own?.lines ?? []) {
    yield;
    const manifest = findManifest(line);
    const { peer } = line.details;
    if (manifest !== undefined && typeof peer === 'string' && !first.has(manifest)) first.set(manifest, peer);
  }
  return ({ details: { peer } }, manifest) => {
    if (typeof peer === 'string') return peer;
    return manifest === undefined ? undefined : first.get(manifest);
  };
}
