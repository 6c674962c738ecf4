import { forEachBounded, Semaphore } from '../base/concurrency.ts';
import { Pacer } from '../base/pacer.ts';
import type { Content } from '../catalog/content.ts';
import type { ContentGraph } from '../catalog/content-graph.ts';
import type { Holds } from '../catalog/holds.ts';
import type { CollectionResult } from './model.ts';
import type { StoreCore } from './store-core.ts';

/**
 * Concurrent removals. A small file takes a thread of the pool for microseconds. Beside many clients, most of its time
 * is waiting for turns of the event loop.
 */
const removalsAtOnce = 32;

/** Bytes from which a removal may take a thread for long, and how many such run at once, so that reads continue. */
const large = { bytes: 16 << 20, atOnce: 3 } as const;

/**
 * Whether content must be kept now: for a root, an upload, a hold, or a manifest that waits for its own root.
 */
export function isNeeded(core: StoreCore, content: Content): boolean {
  return (
    content.refs > 0 || content.uploads > 0 || (content.links?.members ?? 0) > 0 || core.holds.isHeld(content)
  );
}

/**
 * Makes a test for content kept without a record: held content, and content below held manifests, which were written
 * before their index or tag. The number of held manifests is small, because a hold ends when a root reaches its
 * manifest.
 */
export function toKept(graph: ContentGraph, holds: Holds): (content: Content) => boolean {
  const reached = new Set<number>();
  for (const id of holds.current()) {
    const facts = graph.contents.peek(id)?.facts;
    for (const blob of facts?.blobs ?? []) reached.add(blob);
    for (const child of facts?.manifests ?? []) reached.add(child.id);
  }
  return (content) => reached.has(content.id) || holds.isHeld(content);
}

/**
 * Removes files, several at once, except those that are held when their removal starts.
 *
 * @throws SVC-STO-002 when a file cannot be removed; removals under way are completed, the other files are
 *   kept
 */
export async function removeFiles(
  core: StoreCore,
  contents: Iterable<Content>,
  isHeld: (content: Content) => boolean,
): Promise<CollectionResult> {
  let blobs = 0;
  let bytes = 0;
  const larges = new Semaphore(large.atOnce);
  await forEachBounded(contents, removalsAtOnce, async (content) => {
    const remove = () => core.files.remove(content, () => isHeld(content));
    // a size that is not known is below zero
    const isSmall = content.size >= 0 && content.size < large.bytes;
    const size = await (isSmall ? remove() : larges.run(remove));
    if (size === undefined) return;
    core.cache.delete(content.digest);
    blobs += 1;
    bytes += size;
  });
  return { blobs, bytes };
}

/**
 * Removes the files of content that a change has released. Content that is held by now is kept.
 *
 * @throws SVC-STO-002; the records are correct in this case, and a collection removes the remaining files
 */
export async function reclaim(core: StoreCore, released: Iterable<Content>): Promise<CollectionResult> {
  const isKept = toKept(core.graph, core.holds);
  const present: Content[] = [];
  const pacer = new Pacer();
  for (const content of released) {
    // content needed again by the next slice is neither forgotten nor removed
    if (pacer.isDue()) await pacer.rest();
    if (content.present) present.push(content);
    else if (!core.holds.isHeld(content)) core.graph.forget(content);
  }
  return removeFiles(core, present, (content) => isKept(content) || isNeeded(core, content));
}
