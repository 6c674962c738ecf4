import type { Content } from './content.ts';
import type { CollectionResult } from './model.ts';
import type { StoreCore } from './store-core.ts';

/** Whether anything holds this content now: a root, an upload, a promise, or a manifest that waits for its own root. */
export function isNeeded(core: StoreCore, content: Content): boolean {
  return (
    content.refs > 0 || content.uploads > 0 || (content.links?.members ?? 0) > 0 || core.holds.isHeld(content)
  );
}

/**
 * What held manifests reach although no root reaches them yet: manifests written before their index or tag.
 * They are few: a hold ends when its manifest is reached.
 */
function sheltered(core: StoreCore): ReadonlySet<number> {
  const reached = new Set<number>();
  for (const id of core.holds.current()) {
    const facts = core.graph.contents.peek(id)?.facts;
    for (const blob of facts?.blobs ?? []) reached.add(blob);
    for (const child of facts?.manifests ?? []) reached.add(child.id);
  }
  return reached;
}

/**
 * Removes the files of content that a change has left without a holder; whatever is held by now stays.
 *
 * @throws SVC-STO-002; the records are right all the same, and a collection removes what is left
 */
export async function reclaim(core: StoreCore, released: Iterable<Content>): Promise<CollectionResult> {
  let blobs = 0;
  let bytes = 0;
  const shelter = sheltered(core);
  for (const content of released) {
    if (!content.present) {
      if (!core.holds.isHeld(content)) core.graph.forget(content);
      continue;
    }
    const size = await core.files.remove(content, () => shelter.has(content.id) || isNeeded(core, content));
    if (size === undefined) continue;
    core.cache.delete(content.digest);
    blobs += 1;
    bytes += size;
  }
  return { blobs, bytes };
}
