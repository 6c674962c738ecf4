import type { ContentChange, MediumChange } from '../../catalog/content-records.ts';
import { withMedium } from '../rest/compact-ledgers.ts';
import type { StoreCore } from '../store-core.ts';
import { rebuildGraph, toAdopted, toAdoptedRecipes } from './adopted-records.ts';
import { type Corrections, withCorrections } from './correct-facts.ts';

interface Adoption {
  readonly medium: MediumChange;
  /** Whether its tags are held until a verified recipe reaches them. */
  readonly isHeld: boolean;
  readonly key: Buffer | undefined;
  /** Differences between its ledger and the bytes of its manifests. */
  readonly corrections: Corrections;
}

/**
 * Writes ledgers under the key of this instance from the records of a foreign store.
 *
 * @param onDone called while no other change runs
 * @throws SVC-STO-002, SVC-STO-004
 */
export async function adoptContent(
  core: StoreCore,
  { medium, isHeld, key, corrections }: Adoption,
  onDone: () => void,
): Promise<void> {
  const { graph, book, contentLedger, recipeLedger, keeper, gate, cache } = core;
  await keeper.change('content', () =>
    gate.exclusive(async () => {
      const changes = withCorrections(toAdopted(graph, isHeld), corrections);
      const next = await rebuildGraph(graph, withMedium<ContentChange>(medium, changes));
      const recipes = [medium, ...toAdoptedRecipes(book, isHeld)];
      await contentLedger.compact(() => withMedium(medium, next.snapshot()), { key, repair: true });
      await recipeLedger.compact(() => recipes, { key });
      graph.become(next);
      book.clear();
      for (const change of recipes) book.apply(change);
      cache.clear();
      onDone();
    }),
  );
}
