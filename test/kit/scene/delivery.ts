import { closeRecipe } from '../../../src/engine/delivery/close.ts';
import { decideDelivery } from '../../../src/engine/delivery/decide.ts';
import type { Delivery } from '../../../src/engine/delivery/model.ts';
import type { Store } from '../../../src/store/model.ts';

/** Decides a delivery of recipes of a store, without an operation around it. Default: all of them, on one large disk. */
export async function decideFor(
  store: Store,
  options: Partial<Pick<Parameters<typeof decideDelivery>[0], 'base' | 'supply' | 'program' | 'folders'>> & {
    readonly recipes?: readonly string[];
  } = {},
): Promise<Delivery> {
  const { base, program, folders, supply = { given: [{ bytes: 2 ** 40 }] } } = options;
  const closures = [];
  for (const record of store.index.recipes())
    if (options.recipes?.includes(record.name) ?? true) closures.push(await closeRecipe(store, record));
  closures.sort((a, b) => (a.record.name < b.record.name ? -1 : 1));
  return decideDelivery({
    ...{ zone: 'zone-b', closures, base, program, supply, sync: store.lastSync! },
    ...(folders ? { folders } : {}),
  });
}
