import type { Digest } from '../base/digest.ts';
import type { Content } from '../catalog/content.ts';
import type { ContentKeeper } from '../oci/ports.ts';
import type { Store } from './model.ts';

/**
 * Keeps content from removal while a change in progress needs it: content that was found in the store, or has
 * just been put, may lose its last other owner before the change records its own.
 *
 * @throws what `requireWritable` throws
 */
export async function keepContent({ core }: Store): Promise<ContentKeeper> {
  // an adoption numbers all content anew: it comes before the first hold
  await core.requireWritable();
  const kept = new Set<Content>();
  const add = (content: Content): void => {
    if (kept.has(content)) return;
    kept.add(content);
    core.holds.pin(content);
    // the facts of a manifest without a holder are dropped, so what it reaches is held by itself
    const { contents } = core.graph;
    for (const id of content.facts?.blobs ?? []) add(core.graph.intern(contents.digestOf(id)));
    for (const child of content.facts?.manifests ?? []) add(child);
  };
  return {
    add: (digest: Digest) => add(core.graph.intern(digest)),
    [Symbol.dispose]: () => {
      for (const content of kept) core.holds.unpin(content);
      kept.clear();
    },
  };
}
