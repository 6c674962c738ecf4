import type { MediumChange } from '../../catalog/content-records.ts';
import type { StoreCore } from '../store-core.ts';

/**
 * Writes new generations of ledgers with more obsolete than live records. A failed compaction loses nothing:
 * it is logged as a warning and tried again the next time.
 */
export async function compactLedgers(core: StoreCore, medium: MediumChange): Promise<void> {
  try {
    await compactWhatIsDue(core, medium);
  } catch (error) {
    core.report.log('warn', 'A ledger of the store could not be compacted', { error });
  }
}

async function compactWhatIsDue(core: StoreCore, medium: MediumChange): Promise<void> {
  const { graph, book, contentLedger, recipeLedger, keeper, gate } = core;
  const isContentDue = contentLedger.shouldCompact(graph.liveRecords());
  const isRecipesDue = recipeLedger.shouldCompact(book.recipes.length + 2);
  if (!isContentDue && !isRecipesDue) return;
  await keeper.change('ledger', () =>
    gate.exclusive(async () => {
      if (isContentDue) await contentLedger.compact(() => withMedium(medium, graph.snapshot()));
      if (isRecipesDue) await recipeLedger.compact(() => withMedium(medium, book.snapshot()));
    }),
  );
}

/** Puts the record of the medium before the other records of a ledger. */
export function* withMedium<T>(medium: T & MediumChange, rest: Iterable<T>): Generator<T> {
  yield medium;
  yield* rest;
}
