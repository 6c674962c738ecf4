/** The requested part of a list. */
export interface PageQuery {
  /** From 1, which is the default; a page past the end is empty. */
  readonly page?: number | undefined;
  /** Entries of a page, 1 to 200; 25 by default. */
  readonly pageSize?: number | undefined;
}

/** Where a page is in its list. */
export interface PageOf {
  readonly page: number;
  readonly totalPages: number;
  /** Entries of the whole list. */
  readonly total: number;
}

/** Selects one page of a list. A number out of range counts as the nearest one in range. */
export function selectPage<T>(
  list: readonly T[],
  query: PageQuery,
): { readonly selected: readonly T[]; readonly pageOf: PageOf } {
  const page = Math.max(1, Math.floor(query.page ?? 1));
  const pageSize = Math.min(200, Math.max(1, Math.floor(query.pageSize ?? 25)));
  return {
    selected: list.slice((page - 1) * pageSize, page * pageSize),
    pageOf: { page, totalPages: Math.ceil(list.length / pageSize), total: list.length },
  };
}
