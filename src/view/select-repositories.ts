import { Pacer } from '../base/pacer.ts';
import type { PageQuery } from '../base/page.ts';
import type { NoMember, QueryOf } from '../contract/operation.ts';
import type { contentFilters } from '../contract/operations/content.ts';
import type { Store } from '../store/model.ts';
import type { ViewParts } from './parts.ts';

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
 * ledgers, without blocking the event loop. The size of a repository is a sum over its manifests.
 */
function orderBySize(store: Store): Promise<readonly string[]> {
  const { head } = store;
  const found = known.get(store);
  if (found?.head === head) return found.names;
  const names = computeOrder(store);
  known.set(store, { head, names });
  return names;
}

/** The query of a list of content. While the gate is closed the order is by name. */
export type ContentQuery = QueryOf<typeof contentFilters> & PageQuery;

/** The prefix of a query without slashes at its end; empty when there is none. */
export function toPrefix({ prefix = '' }: Pick<ContentQuery, 'prefix'>): string {
  return prefix.replace(/\/+$/, '');
}

/** Selects the names of all repositories that match a query and may be listed, in its order. */
export async function selectRepositories(
  { store, gate }: Pick<ViewParts, 'store' | 'gate'>,
  query: QueryOf<typeof contentFilters>,
): Promise<readonly string[]> {
  const { q = '', kind: kinds = [], prefix: below, sort, ...others } = query;
  others satisfies NoMember;
  const text = q.toLowerCase();
  const prefix = toPrefix({ prefix: below });
  const closed = gate.refusal() !== undefined;
  // sizes of unverified content are not known
  const bySize = sort === 'size' && !closed;
  const [kind] = kinds;
  // the index has the names of one kind by themselves: in a large store most of the time went into asking for each
  const isSelected = kind === undefined || (kinds.length === 1 && !bySize);
  const names = bySize
    ? await orderBySize(store)
    : kind !== undefined && isSelected
      ? store.index.repositoriesOf(kind)
      : store.index.repositories();
  if (prefix === '' && text === '' && isSelected && (closed || !gate.guarded)) return names;
  return names.filter(
    (name) =>
      (prefix === '' || name === prefix || name.startsWith(`${prefix}/`)) &&
      (text === '' || name.includes(text)) &&
      (isSelected || kinds.some((one) => store.index.isOfKind(name, one))) &&
      (closed || gate.allowsRepository(name)),
  );
}
