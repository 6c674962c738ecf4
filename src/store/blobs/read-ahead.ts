import type { Digest } from '../../base/digest.ts';
import type { Content } from '../../catalog/content.ts';
import { readSmallFiles, type SmallFile, type SmallFiles } from '../../disk/threads/read-small.ts';
import { blobPath } from '../../oci/layout.ts';
import type { Store } from '../model.ts';
import { SmallReader } from './small-reader.ts';

/** Bytes of the largest file that is read ahead. */
const largest = 64 << 10;
/** Files from which on a thread is worth its message. */
const fewest = 4;

const readers = new WeakMap<Store['core'], SmallReader>();

function readerOf(core: Store['core']): SmallReader {
  const reader = readers.get(core) ?? new SmallReader(core.root);
  readers.set(core, reader);
  return reader;
}

/** Starts the thread that reads together, before the files are known. Starting it takes longer than many files. */
export function expectReading({ core }: Pick<Store, 'core'>): void {
  void readerOf(core).read([]);
}

/** Bytes in the cache, and files still to be read. */
interface Wanted {
  readonly found: Map<Digest, Buffer>;
  readonly files: readonly (SmallFile & { readonly content: Content })[];
}

function select({ graph, cache }: Store['core'], digests: Iterable<Digest>): Wanted {
  const found = new Map<Digest, Buffer>();
  const files: (SmallFile & { readonly content: Content })[] = [];
  for (const digest of new Set(digests)) {
    const content = graph.get(digest);
    if (!content?.present || content.size < 0 || content.size > largest) continue;
    const known = cache.get(digest);
    if (known === undefined) files.push({ path: blobPath(digest), digest, size: content.size, content });
    else found.set(digest, known);
  }
  return { found, files };
}

/** Adds the bytes that were read. Their content may have been removed meanwhile. */
function take({ found, files }: Wanted, read: SmallFiles): void {
  let at = 0;
  for (const [i, { digest, size, content }] of files.entries()) {
    if (!read.found[i]) continue;
    if (content.present) found.set(digest, Buffer.from(read.bytes.buffer, at, size));
    at += size;
  }
}

/**
 * Reads small manifests and blobs, all together, without keeping them in the cache.
 *
 * @returns bytes that have their digest, to be used soon: they share one memory. Unreadable files are left to the
 *   function that needs them and reports why.
 */
export async function readTogether(
  { core }: Pick<Store, 'core'>,
  digests: Iterable<Digest>,
): Promise<ReadonlyMap<Digest, Buffer>> {
  const wanted = select(core, digests);
  if (wanted.files.length < fewest) return wanted.found;
  const read = await readerOf(core).read(wanted.files);
  if (read !== undefined) take(wanted, read);
  return wanted.found;
}

/**
 * As {@link readTogether}, at once, while the event loop waits: for a caller that shares the work with the thread.
 *
 * @param until time by `performance.now()` after which no file is opened
 */
export function readAtOnce(
  { core }: Pick<Store, 'core'>,
  digests: Iterable<Digest>,
  until: number,
): ReadonlyMap<Digest, Buffer> {
  const wanted = select(core, digests);
  take(wanted, readSmallFiles(core.root, wanted.files, until));
  return wanted.found;
}

/**
 * Reads small manifests and blobs into the cache, all together, before they are needed one after the other. Unreadable
 * files are then absent from the cache.
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
