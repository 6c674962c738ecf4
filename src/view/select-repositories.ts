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
  const names = bySize ? await orderBySize(store) : store.index.repositories();
  if (prefix === '' && text === '' && kinds.length === 0 && (closed || !gate.guarded)) return names;
  return names.filter(
    (name) =>
      (prefix === '' || name === prefix || name.startsWith(`${prefix}/`)) &&
      (text === '' || name.includes(text)) &&
      (kinds.length === 0 || kinds.some((kind) => store.index.kindsOf(name).has(kind))) &&
      (closed || gate.allowsRepository(name)),
  );
}
