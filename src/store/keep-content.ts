import type { Digest } from '../base/digest.ts';
import type { Content } from '../catalog/content.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import type { ContentKeeper } from '../oci/ports.ts';
import type { Store } from './model.ts';
import { isNeeded, reclaim } from './reclaim.ts';

/**
 * Keeps content from removal while a change in progress needs it. Existing content, or content just put, may lose its
 * last other owner before the change records its own.
 *
 * @throws the errors of `requireWritable`
 */
export async function keepContent({ core }: Store): Promise<ContentKeeper> {
  // an adoption numbers all content anew: it comes before the first hold
  await core.requireWritable();
  const kept = new Set<Content>();
  const add = (content: Content): void => {
    if (kept.has(content)) return;
    kept.add(content);
    core.holds.pin(content);
    // the facts of a manifest without a holder are dropped, so each part that it reaches is held separately
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

/**
 * Holds content for a long read: deletions meanwhile take its tags, and its files go when the read has ended. Content of a
 * foreign store is not held, because nothing is deleted from it.
 *
 * @returns undefined when some of the content is not in the store any more; nothing is held then
 */
export function holdContent(
  { core, standing }: Pick<Store, 'core' | 'standing'>,
  descriptors: readonly Pick<Descriptor, 'digest' | 'size'>[],
): AsyncDisposable | undefined {
  if (standing === 'foreign') return { [Symbol.asyncDispose]: async () => {} };
  const held: Content[] = [];
  for (const { digest, size } of descriptors) {
    const content = core.graph.get(digest);
    // content released by a deletion may be about to be removed
    if (content === undefined || !content.present || content.size !== size || !isNeeded(core, content))
      return undefined;
    held.push(content);
  }
  for (const content of held) core.holds.pin(content);
  return {
    [Symbol.asyncDispose]: async () => {
      for (const content of held) core.holds.unpin(content);
      const released = held.filter((content) => !isNeeded(core, content));
      if (released.length === 0) return;
      // the next collection removes files that cannot be removed now
      await core.keeper.change('content', () => reclaim(core, released)).catch(() => {});
    },
  };
}
