import { type Digest, digestAlgorithm } from '../../base/digest.ts';
import { hashFiles } from '../../disk/threads/hash-pool.ts';
import { blobPath } from '../../oci/layout.ts';
import type { Store } from '../../store/model.ts';
import { svcError } from '../../text/error.ts';
import type { Delivery } from './model.ts';
import type { PlannedSegment } from './partition.ts';

/**
 * Returns the digests of the segments of blobs. Rejects with SVC-SIG-002 and SVC-STO-001 for damaged or missing blobs of the
 * store.
 */
export type RangeHashes = (
  digests: Iterable<Digest>,
  signal: AbortSignal,
) => Promise<(segment: Pick<PlannedSegment, 'digest' | 'offset'>) => Digest>;

/**
 * Opens the hashes of the segments of a delivery. Each blob is read once for all parts: the same pass gives its own digest,
 * which a hash of a segment does not prove, and those of all its segments.
 */
export function openRangeHashes(store: Store, { parts }: Pick<Delivery, 'parts'>): RangeHashes {
  const ranges = new Map<Digest, PlannedSegment[]>();
  for (const segment of parts.flatMap(({ segments }) => segments)) {
    const own = ranges.get(segment.digest);
    if (own === undefined) ranges.set(segment.digest, [segment]);
    else own.push(segment);
  }
  const known = new Map<Digest, ReadonlyMap<number, Digest>>();
  return async (digests, signal) => {
    const jobs = [...new Set(digests)]
      .filter((digest) => !known.has(digest))
      .map((digest) => ({
        path: blobPath(digest),
        algorithm: digestAlgorithm(digest),
        size: store.index.sizeOf(digest) ?? 0,
        digest,
        ranges: ranges.get(digest)!.toSorted((a, b) => a.offset - b.offset),
      }));
    if (jobs.length > 0)
      await hashFiles(store.root, jobs, {
        onOutcome: ({ digest, ranges: own }, outcome) => {
          if ('detail' in outcome)
            throw svcError('SVC-STO-001', { path: blobPath(digest), detail: outcome.detail });
          if (!('digest' in outcome) || outcome.digest !== digest) {
            const actual = 'digest' in outcome ? outcome.digest : String(outcome.actual);
            throw svcError('SVC-SIG-002', { reference: digest, expected: digest, actual });
          }
          known.set(digest, new Map(own.map(({ offset }, i) => [offset, outcome.ranges![i]!])));
        },
        signal,
      });
    return ({ digest, offset }) => known.get(digest)!.get(offset)!;
  };
}
