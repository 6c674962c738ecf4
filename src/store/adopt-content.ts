import { rebuildGraph, toAdopted, toAdoptedRecipes } from './adopt.ts';
import { withMedium } from './compact-ledgers.ts';
import type { MediumChange } from './content-records.ts';
import type { StoreCore } from './store-core.ts';

export interface Adoption {
  readonly medium: MediumChange;
  /** Its tags are not served before a verified recipe reaches them. */
  readonly isHeld: boolean;
  readonly key: Buffer | undefined;
}

/**
 * Makes what a foreign store has the beginning of ledgers of our own.
 *
 * @param onDone told while nothing else may change
 * @throws SVC-STO-002, SVC-STO-004
 */
export async function adoptContent(
  core: StoreCore,
  { medium, isHeld, key }: Adoption,
  onDone: () => void,
): Promise<void> {
  const { graph, book, contentLedger, recipeLedger, keeper, gate, cache } = core;
  await keeper.change('content', () =>
    gate.exclusive(async () => {
      const next = await rebuildGraph(graph, [medium, ...toAdopted(graph, isHeld)]);
      const recipes = [medium, ...toAdoptedRecipes(book, isHeld)];
      await contentLedger.compact(() => withMedium(medium, next.snapshot()), { key });
      await recipeLedger.compact(() => recipes, { key });
      graph.become(next);
      book.clear();
      for (const change of recipes) book.apply(change);
      cache.clear();
      onDone();
    }),
  );
}
