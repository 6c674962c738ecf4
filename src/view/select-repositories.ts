import { Pacer } from '../base/pacer.ts';
import type { PageQuery } from '../base/page.ts';
import { hasWords } from '../base/words.ts';
import type { NoMember, QueryOf } from '../contract/operation.ts';
import type { contentFilters } from '../contract/operations/content.ts';
import { compareBy, type Order, orderOf } from '../contract/operations/sorting.ts';
import type { Store } from '../store/model.ts';
import { allLanded } from './landed.ts';
import type { ViewParts } from './parts.ts';

/** Keys of the order besides the name. */
type Key = Exclude<NonNullable<QueryOf<typeof contentFilters>['sort']>, 'name'>;

/** Names of all repositories in an order that was computed at one head of the ledgers. */
interface KnownOrder {
  readonly head: string;
  readonly names: Promise<readonly string[]>;
}

/** The last orders of a store, by key and direction. */
const known = new WeakMap<Store, Map<string, KnownOrder>>();

async function computeOrder(store: Store, key: Key, order: Order): Promise<readonly string[]> {
  const { index } = store;
  const landed = key === 'landed' ? await allLanded({ store }) : undefined;
  const pacer = new Pacer();
  const values: { readonly name: string; readonly value: string | number | undefined }[] = [];
  for (const name of index.repositories()) {
    if (pacer.isDue()) await pacer.rest();
    const summary = index.summaryOf(name);
    if (summary === undefined) continue;
    const { held, sizeBytes, versions } = summary;
    const number = held ? 0 : key === 'size' ? sizeBytes : versions;
    values.push({ name, value: landed === undefined ? number : landed.get(name)?.last });
  }
  return values
    .sort((a, b) => compareBy(a.value, b.value, order) || (a.name < b.name ? -1 : 1))
    .map(({ name }) => name);
}

/**
 * Orders the repositories of a store. The order is computed once for each state of the ledgers, without blocking the
 * event loop. The size of a repository is a sum over its manifests.
 */
function orderBy(store: Store, key: Key, order: Order): Promise<readonly string[]> {
  const { head } = store;
  const orders = known.get(store) ?? new Map<string, KnownOrder>();
  known.set(store, orders);
  const name = `${key} ${order}`;
  const found = orders.get(name);
  if (found?.head === head) return found.names;
  const names = computeOrder(store, key, order);
  orders.set(name, { head, names });
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
  const { q = '', kind: kinds = [], prefix: below, sort = 'name', order, ...others } = query;
  others satisfies NoMember;
  const isNamed = hasWords(q);
  const isAny = q.trim() === '';
  const prefix = toPrefix({ prefix: below });
  const closed = gate.refusal() !== undefined;
  // nothing but the names of unverified content is known
  const key = closed ? 'name' : sort;
  const direction = orderOf(key, order);
  const [kind] = kinds;
  // the index has the names of one kind by themselves: in a large store most of the time went into asking for each
  const isSelected = kind === undefined || (kinds.length === 1 && key === 'name');
  const ordered =
    key !== 'name'
      ? await orderBy(store, key, direction)
      : kind !== undefined && isSelected
        ? store.index.repositoriesOf(kind)
        : store.index.repositories();
  const names = key === 'name' && direction === 'desc' ? ordered.toReversed() : ordered;
  if (prefix === '' && isAny && isSelected && (closed || !gate.guarded)) return names;
  return names.filter(
    (name) =>
      (prefix === '' || name === prefix || name.startsWith(`${prefix}/`)) &&
      (isAny || isNamed(name)) &&
      (isSelected || kinds.some((one) => store.index.isOfKind(name, one))) &&
      (closed || gate.allowsRepository(name)),
  );
}

/** Counts the repositories of an open store that have no version, as after a deletion. */
export async function countEmpty(parts: Pick<ViewParts, 'store' | 'gate'>): Promise<number> {
  const { index } = parts.store;
  const names = await selectRepositories(parts, { sort: 'versions', order: 'asc' });
  const first = names.findIndex((name) => {
    const { held, versions } = index.summaryOf(name) ?? { held: false, versions: 0 };
    return !held && versions > 0;
  });
  // those whose versions are all held have the number 0 too
  return names.slice(0, first < 0 ? names.length : first).filter((name) => !index.summaryOf(name)?.held)
    .length;
}
