import { forEachBounded } from '../base/concurrency.ts';
import type { Content } from '../catalog/content.ts';
import type { ContentGraph } from '../catalog/content-graph.ts';
import type { Holds } from '../catalog/holds.ts';
import type { CollectionResult } from './model.ts';
import type { StoreCore } from './store-core.ts';

/** Threads must be left for reads. */
const removalsAtOnce = 3;

/** Whether anything holds this content now: a root, an upload, a promise, or a manifest that waits for its own root. */
export function isNeeded(core: StoreCore, content: Content): boolean {
  return (
    content.refs > 0 || content.uploads > 0 || (content.links?.members ?? 0) > 0 || core.holds.isHeld(content)
  );
}

/**
 * Tells what must stay without any record: what is held, and what held manifests reach although no root reaches them yet
 * (they were written before their index or tag). Held manifests are few: a hold ends when its manifest is reached.
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
 * Removes files unless something holds them at the last moment, several at once.
 *
 * @throws SVC-STO-002 when one cannot be removed; those under way are finished, the others stay
 */
export async function removeFiles(
  core: StoreCore,
  contents: Iterable<Content>,
  isHeld: (content: Content) => boolean,
): Promise<CollectionResult> {
  let blobs = 0;
  let bytes = 0;
  await forEachBounded(contents, removalsAtOnce, async (content) => {
    const size = await core.files.remove(content, () => isHeld(content));
    if (size === undefined) return;
    core.cache.delete(content.digest);
    blobs += 1;
    bytes += size;
  });
  return { blobs, bytes };
}

/**
 * Removes the files of content that a change has left without a holder; whatever is held by now stays.
 *
 * @throws SVC-STO-002; the records are right all the same, and a collection removes what is left
 */
export async function reclaim(core: StoreCore, released: Iterable<Content>): Promise<CollectionResult> {
  const isKept = toKept(core.graph, core.holds);
  const present: Content[] = [];
  for (const content of released) {
    if (content.present) present.push(content);
    else if (!core.holds.isHeld(content)) core.graph.forget(content);
  }
  return removeFiles(core, present, (content) => isKept(content) || isNeeded(core, content));
}
