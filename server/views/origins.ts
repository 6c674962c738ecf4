import { Pacer } from '../../src/base/pacer.ts';
import type { RecipeRecord } from '../../src/catalog/model.ts';
import type { ListedRecipe } from '../../src/operation/list-recipes.ts';
import type { Store } from '../../src/store/model.ts';
import type { Run } from '../../src/view/runs.ts';
import type { ViewParts } from './parts.ts';

/** Where content of the store comes from: a host that recipes name, and the host that was contacted for it. */
export interface Origin {
  readonly host: string;
  /** The host itself where it was contacted; absent where the last run contacted none for it. */
  readonly via?: string;
  readonly repositories: number;
  /** Bytes of these repositories in the store. */
  readonly bytes: number;
}

interface Known {
  readonly key: string;
  readonly origins: Promise<readonly Origin[]>;
}

const known = new WeakMap<Store, Known>();

/** The host of a reference. */
export const hostOf = (reference: string): string => reference.split('/', 1)[0]!;

/**
 * Groups the references of recipes by host. Content of earlier runs comes by the way of the content of its host in the last
 * run.
 *
 * @param via host contacted for a digest
 */
async function computeOrigins(
  { index }: Store,
  records: readonly RecipeRecord[],
  via: Run['effective'],
): Promise<readonly Origin[]> {
  const pacer = new Pacer();
  interface Group {
    readonly host: string;
    readonly via: string | undefined;
    readonly repositories: Set<string>;
  }
  const groups = new Map<string, Group>();
  for (const { cookbook, repository, digest, ingredients } of records) {
    if (pacer.isDue()) await pacer.rest();
    for (const part of [{ ref: cookbook, repository, digest }, ...ingredients]) {
      const host = hostOf(part.ref);
      const contacted = via.get(part.digest);
      const key = `${host} ${contacted ?? ''}`;
      const group = groups.get(key) ?? { host, via: contacted, repositories: new Set<string>() };
      group.repositories.add(part.repository);
      groups.set(key, group);
    }
  }
  const known = [...groups.values()].filter((group) => group.via !== undefined);
  for (const [key, { host, via: contacted, repositories }] of groups) {
    if (contacted !== undefined) continue;
    const [way] = known
      .filter((group) => group.host === host)
      .sort((a, b) => b.repositories.size - a.repositories.size);
    if (way === undefined) continue;
    for (const repository of repositories) way.repositories.add(repository);
    groups.delete(key);
  }
  const origins: Origin[] = [];
  for (const { host, via: contacted, repositories } of groups.values()) {
    let bytes = 0;
    for (const repository of repositories) {
      if (pacer.isDue()) await pacer.rest();
      bytes += index.summaryOf(repository)?.sizeBytes ?? 0;
    }
    origins.push({
      host,
      ...(contacted === undefined ? {} : { via: contacted }),
      repositories: repositories.size,
      bytes,
    });
  }
  return origins.sort((a, b) => b.bytes - a.bytes || (a.host < b.host ? -1 : 1));
}

/**
 * Shows where the content of recipes comes from, the largest part first. Computed once for each state of the store and
 * each run.
 */
export function listOrigins(
  { store }: Pick<ViewParts, 'store'>,
  recipes: readonly (ListedRecipe | Pick<ListedRecipe, 'name'>)[],
  run: Run | undefined,
): Promise<readonly Origin[]> {
  const records = recipes.filter((each): each is RecipeRecord => 'runId' in each && each.runId !== undefined);
  const key = `${store.head} ${run?.task.id ?? ''} ${records.length}`;
  const found = known.get(store);
  if (found?.key === key) return found.origins;
  const origins = computeOrigins(store, records, run?.effective ?? new Map());
  known.set(store, { key, origins });
  return origins;
}
