import type { Digest } from '../base/digest.ts';
import { Pacer } from '../base/pacer.ts';
import type { ContentTable } from './content-table.ts';
import { toBucket } from './digest-table.ts';

const buckets = 2 * 4096;

/** Blobs between two looks at the clock. */
const step = 64;

/**
 * Lists the present blobs in the order of their digests, a few at a time. Needs four bytes a blob: blobs are counted into
 * buckets, and a bucket is sorted when its turn comes. A blob added or removed meanwhile may or may not be listed.
 *
 * @param last digests up to this one are left out
 */
export async function* listPresent(
  contents: ContentTable,
  last?: Digest,
): AsyncGenerator<readonly { readonly digest: Digest; readonly size: number }[]> {
  const pacer = new Pacer();
  const { end } = contents;
  const starts = new Uint32Array(buckets + 1);
  for (let id = 0; id < end; id += 1) {
    if (id % step === 0 && pacer.isDue()) await pacer.rest();
    if (contents.isPresent(id)) starts[contents.bucketOf(id) + 1]! += 1;
  }
  for (let at = 0; at < buckets; at += 1) starts[at + 1]! += starts[at]!;
  const ids = new Uint32Array(starts[buckets]!);
  const next = starts.slice();
  for (let id = 0; id < end; id += 1) {
    if (id % step === 0 && pacer.isDue()) await pacer.rest();
    if (!contents.isPresent(id)) continue;
    const bucket = contents.bucketOf(id);
    // a blob added since the count has no room and is left out
    if (next[bucket]! < starts[bucket + 1]!) ids[next[bucket]!++] = id;
  }
  for (let bucket = last === undefined ? 0 : toBucket(last); bucket < buckets; bucket += 1) {
    const found: { digest: Digest; size: number }[] = [];
    for (let at = starts[bucket]!; at < next[bucket]!; at += 1) {
      const id = ids[at]!;
      if (!contents.isPresent(id)) continue;
      const digest = contents.digestOf(id);
      if (last === undefined || digest > last) found.push({ digest, size: contents.sizes[id]! });
    }
    if (found.length > 0) yield found.sort((a, b) => (a.digest < b.digest ? -1 : 1));
  }
}
