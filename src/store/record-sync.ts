import type { RecipeRecord, SyncRecord } from '../catalog/model.ts';
import { toMedium } from './medium.ts';
import type { Store } from './model.ts';

/**
 * Replaces the recipes of the recipe ledger by the complete recipes of a run and those that are kept, and
 * records the run.
 *
 * @throws SVC-STO-002, SVC-STO-004, SVC-MED-030, SVC-CFG-001
 */
export async function recordSync(
  { core }: Store,
  sync: SyncRecord,
  recipes: readonly RecipeRecord[],
): Promise<void> {
  await core.requireWritable();
  const { book, recipeLedger, keeper, gate, state } = core;
  await keeper.change('ledger', () =>
    gate.exclusive(async () => {
      const changes = book.plan(sync, recipes);
      // An interrupted creation leaves a recipe ledger without its first record.
      const isFirst = recipeLedger.state().generation === 0;
      await recipeLedger.append(isFirst ? [toMedium(state.mediaId), ...changes] : changes);
      for (const change of changes) book.apply(change);
    }),
  );
}
