import type { PageQuery } from '../base/page.ts';
import type { ContentKind } from '../oci/kind.ts';
import { orderBySize } from './order-by-size.ts';
import type { ViewParts } from './parts.ts';

export interface ContentQuery extends PageQuery {
  /** Part of the name, in any case. */
  readonly q?: string | undefined;
  /** Default: every kind. */
  readonly kind?: readonly ContentKind[] | undefined;
  /** Path prefix, on a segment boundary. */
  readonly prefix?: string | undefined;
  /** `name` is the default; `size`: the largest first. While the gate is closed the order is by name. */
  readonly sort?: 'name' | 'size' | undefined;
}

/** The prefix of a query without slashes at its end; empty when there is none. */
export function toPrefix({ prefix = '' }: Pick<ContentQuery, 'prefix'>): string {
  return prefix.replace(/\/+$/, '');
}

/** Selects the names of all repositories that match a query and may be listed, in its order. */
export async function selectRepositories(
  { store, gate }: Pick<ViewParts, 'store' | 'gate'>,
  query: Omit<ContentQuery, keyof PageQuery>,
): Promise<readonly string[]> {
  const text = (query.q ?? '').toLowerCase();
  const kinds = query.kind ?? [];
  const prefix = toPrefix(query);
  const closed = gate.refusal() !== undefined;
  // sizes of unverified content are not known
  const bySize = query.sort === 'size' && !closed;
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
