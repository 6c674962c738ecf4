import { forEachBounded } from '../../base/concurrency.ts';
import type { Digest } from '../../base/digest.ts';
import type { Store } from '../model.ts';

/** Files that are looked at at once. */
const atOnce = 16;

/**
 * Looks at the files of present content, without reading those that are regular files of their sizes. Content that is
 * damaged or without a file counts as absent from here on.
 *
 * @param options `reads`: every file is hashed, also one of content that is vouched for
 * @throws SVC-STO-001, SVC-STO-014 when a file cannot be looked at for a reason outside it
 */
export function lookAtFiles(
  { core: { graph, files, cache } }: Pick<Store, 'core'>,
  digests: Iterable<Digest>,
  { reads = false }: { readonly reads?: boolean } = {},
): Promise<void> {
  return forEachBounded(digests, atOnce, async (digest) => {
    const content = graph.get(digest);
    if (content?.present !== true) return;
    await (reads ? files.doubt(content) : files.look(content));
    if (!content.present) cache.delete(digest);
  });
}
