import type { Content } from '../catalog/content.ts';
import type { ContentTable } from '../catalog/content-table.ts';
import { newMediumId, toMedium } from './medium.ts';
import type { Store } from './model.ts';
import { reclaim } from './reclaim.ts';

/**
 * Deletes all content and empties both ledgers, under a new medium identifier.
 *
 * @param requireExpected called when nothing can change the content any more, before anything is removed; what it throws
 *   ends the call without a change
 * @returns the number of repositories before, and the bytes freed
 * @throws SVC-STO-002, SVC-STO-007, SVC-CFG-001
 */
export async function emptyStore(
  { core }: Store,
  requireExpected: () => void = () => {},
): Promise<{ readonly repositories: number; readonly bytes: number }> {
  core.requireChangeable();
  await core.adopt();
  const { graph, book, contentLedger, recipeLedger, gate, holds, cache, files, keeper, state } = core;
  const { remember } = core.parts;
  const repositories = graph.names.size;
  return keeper.change('content', async () => {
    const mediaId = newMediumId();
    await gate.exclusive(async () => {
      requireExpected();
      files.endWriters();
      await remember(mediaId);
      const medium = toMedium(mediaId);
      await contentLedger.compact(() => [medium]);
      await recipeLedger.compact(() => [medium]);
      graph.clear();
      book.clear();
      holds.clear();
      cache.clear();
      state.hashed.clear();
      state.mediaId = mediaId;
    });
    const { bytes } = await reclaim(core, everything(graph.contents));
    await remember(mediaId);
    return { repositories, bytes };
  });
}

function* everything(contents: ContentTable): Generator<Content> {
  for (let id = 0; id < contents.end; id += 1) yield contents.at(id);
}
