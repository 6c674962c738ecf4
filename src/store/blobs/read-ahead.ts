import type { Digest } from '../../base/digest.ts';
import type { SmallFile } from '../../disk/threads/read-small.ts';
import { blobPath } from '../../oci/layout.ts';
import type { Store } from '../model.ts';
import { SmallReader } from './small-reader.ts';

/** Bytes of the largest file that is read ahead. */
const largest = 64 << 10;
/** Files from which on a thread is worth its message. */
const fewest = 4;

const readers = new WeakMap<Store['core'], SmallReader>();

/**
 * Reads small manifests and blobs, all together, without keeping them in the cache.
 *
 * @returns bytes that have their digest, to be used soon: they share one memory; whatever cannot be read is left to the function that needs it and reports why
 */
export async function readTogether(
  { core }: Pick<Store, 'core'>,
  digests: Iterable<Digest>,
): Promise<ReadonlyMap<Digest, Buffer>> {
  const { graph, cache } = core;
  const found = new Map<Digest, Buffer>();
  const wanted: SmallFile[] = [];
  for (const digest of new Set(digests)) {
    const content = graph.get(digest);
    if (!content?.present || content.size < 0 || content.size > largest) continue;
    const known = cache.get(digest);
    if (known === undefined) wanted.push({ path: blobPath(digest), digest, size: content.size });
    else found.set(digest, known);
  }
  if (wanted.length < fewest) return found;
  const reader = readers.get(core) ?? new SmallReader(core.root);
  readers.set(core, reader);
  const read = await reader.read(wanted);
  if (read === undefined) return found;
  let at = 0;
  for (const [i, { digest, size }] of wanted.entries()) {
    if (!read.found[i]) continue;
    // it may have been removed meanwhile
    if (graph.get(digest)?.present) found.set(digest, Buffer.from(read.bytes.buffer, at, size));
    at += size;
  }
  return found;
}

/**
 * Reads small manifests and blobs into the cache, all together, before they are needed one after the other. What cannot be
 * read is not in the cache then.
 */
export async function readAhead(store: Pick<Store, 'core'>, digests: Iterable<Digest>): Promise<void> {
  const { cache } = store.core;
  // copies: the bytes of all files are in one memory, which would stay as long as one of them
  for (const [digest, bytes] of await readTogether(store, digests))
    if (!cache.has(digest)) cache.set(digest, Buffer.from(bytes));
}

/** Returns the bytes of a present blob that were read before; undefined when they are not in the cache. */
export function readCached({ core }: Pick<Store, 'core'>, digest: Digest): Buffer | undefined {
  return core.graph.get(digest)?.present ? core.cache.get(digest) : undefined;
}
