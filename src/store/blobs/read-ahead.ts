import { type Digest, digestAlgorithm } from '../../base/digest.ts';
import { blobPath } from '../../oci/layout.ts';
import type { Store } from '../model.ts';
import { SmallReader } from './small-reader.ts';

/** Bytes of the largest file that is read ahead. */
const largest = 64 << 10;
/** Files from which on a thread is worth its message. */
const fewest = 4;

const readers = new WeakMap<Store['core'], SmallReader>();

/**
 * Reads small manifests and blobs into the cache, all together, before they are needed one after the other. Only bytes
 * that have their digest are kept; whatever cannot be read is left to the function that needs it and reports why.
 */
export async function readAhead({ core }: Pick<Store, 'core'>, digests: Iterable<Digest>): Promise<void> {
  const { graph, cache } = core;
  const wanted = [...new Set(digests)].filter((digest) => {
    const content = graph.get(digest);
    return content?.present && content.size >= 0 && content.size <= largest && !cache.has(digest);
  });
  if (wanted.length < fewest) return;
  const reader = readers.get(core) ?? new SmallReader(core.root);
  readers.set(core, reader);
  const jobs = wanted.map((digest) => ({
    path: blobPath(digest),
    algorithm: digestAlgorithm(digest),
    size: graph.get(digest)?.size,
    keep: true,
  }));
  const outcomes = await reader.read(jobs);
  for (const [i, outcome] of outcomes.entries()) {
    const digest = wanted[i]!;
    if (!('digest' in outcome) || outcome.digest !== digest || outcome.bytes === undefined) continue;
    const { buffer, byteOffset, length } = outcome.bytes;
    // it may have been removed meanwhile
    if (graph.get(digest)?.present) cache.set(digest, Buffer.from(buffer, byteOffset, length));
  }
}

/** Returns the bytes of a present blob that were read before; undefined when they are not in the cache. */
export function readCached({ core }: Pick<Store, 'core'>, digest: Digest): Buffer | undefined {
  return core.graph.get(digest)?.present ? core.cache.get(digest) : undefined;
}
