import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Content } from '../catalog/content.ts';
import type { ContentChange, MediumChange } from '../catalog/content-records.ts';
import type { ContentTable } from '../catalog/content-table.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';
import { newMediumId, toMedium } from './medium.ts';
import type { Store } from './model.ts';
import { savedIndexPath } from './opening/saved-index.ts';
import { reclaim } from './reclaim.ts';

const unfinished = rule([
  'its reset wrote only one of two ledgers: opening the store again completes it',
  fr`sa réinitialisation n’a écrit qu’un journal du stockage sur deux : rouvrir le stockage l’achève`,
]);

/**
 * Deletes all content and empties both ledgers, under a new medium identifier.
 *
 * @param requireExpected called when nothing can change the content any more, before anything is removed; its errors
 *   end the call without a change
 * @returns the number of repositories before, and the bytes freed
 * @throws SVC-STO-002, SVC-STO-007, SVC-STO-014, SVC-CFG-001: nothing was changed; SVC-STO-018: the store is empty, and is
 *   read-only until it is opened again
 */
export async function emptyStore(
  { core }: Store,
  requireExpected: () => void = () => {},
): Promise<{ readonly repositories: number; readonly bytes: number }> {
  core.requireChangeable();
  await core.adopt();
  await core.parts.place.requireInPlace();
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
      // a ledger that cannot be written is found before anything is decided
      await recipeLedger.prepareToWrite();
      const failures = [await compactOrFail(contentLedger, medium)];
      // the new generation decides: despite any later failure, the store is empty when it is opened again
      graph.clear();
      book.clear();
      holds.clear();
      cache.clear();
      state.hashed.clear();
      state.mediaId = mediaId;
      failures.push(await recipeLedger.compact(() => [medium]).then(() => undefined, toFailure));
      const failure = failures.find((each) => each !== undefined);
      if (failure === undefined) return;
      state.unfinished = unfinished;
      throw svcError('SVC-STO-018', { path: core.root }, { cause: failure.cause });
    });
    const { bytes } = await reclaim(core, everything(graph.contents));
    // it counts no more, and names removed content
    await unlink(join(core.root, savedIndexPath)).catch(() => {});
    await remember(mediaId);
    return { repositories, bytes };
  });
}

interface Failure {
  readonly cause: unknown;
}

const toFailure = (cause: unknown): Failure => ({ cause });

/** Writes a new generation. @returns a failure after it is durable @throws the error when the old one is in force */
async function compactOrFail(
  ledger: Ledger<ContentChange>,
  medium: MediumChange,
): Promise<Failure | undefined> {
  const { generation } = ledger.state();
  try {
    await ledger.compact(() => [medium]);
  } catch (error) {
    if (ledger.state().generation === generation) throw error;
    return toFailure(error);
  }
}

function* everything(contents: ContentTable): Generator<Content> {
  for (let id = 0; id < contents.end; id += 1) yield contents.at(id);
}
