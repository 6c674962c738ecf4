import { Pacer } from '../base/pacer.ts';
import type { Store } from '../store/model.ts';

/** Names of all repositories in an order that was computed at one head of the ledgers. */
interface KnownOrder {
  readonly head: string;
  readonly names: Promise<readonly string[]>;
}

const known = new WeakMap<Store, KnownOrder>();

async function computeOrder({ index }: Store): Promise<readonly string[]> {
  const pacer = new Pacer();
  const sizes: { readonly name: string; readonly bytes: number }[] = [];
  for (const name of index.repositories()) {
    if (pacer.isDue()) await pacer.rest();
    const summary = index.summaryOf(name);
    if (summary !== undefined) sizes.push({ name, bytes: summary.held ? 0 : summary.sizeBytes });
  }
  return sizes.sort((a, b) => b.bytes - a.bytes || (a.name < b.name ? -1 : 1)).map(({ name }) => name);
}

/**
 * Orders the repositories of a store by size, the largest first. The order is computed once for each state of the
 * ledgers, without blocking the event loop, because the size of a repository is the sum over its manifests.
 */
export function orderBySize(store: Store): Promise<readonly string[]> {
  const { head } = store;
  const found = known.get(store);
  if (found?.head === head) return found.names;
  const names = computeOrder(store);
  known.set(store, { head, names });
  return names;
}
