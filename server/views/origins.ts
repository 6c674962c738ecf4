import { Pacer } from '../../src/base/pacer.ts';
import type { ListedRecipe } from '../../src/operation/list-recipes.ts';
import type { Store } from '../../src/store/model.ts';
import type { Run } from '../../src/view/runs.ts';
import type { ViewParts } from './parts.ts';

/** Where content of the store comes from: a host that recipes name, and the hosts that were contacted for it. */
export interface Origin {
  readonly host: string;
  /** The host itself is among them where it was contacted; empty where the last run contacted none for it. */
  readonly vias: readonly string[];
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
 * Groups the references of recipes by host. Content of earlier runs comes by the ways of the content of its host in the last
 * run.
 *
 * @param via host contacted for a digest
 */
async function computeOrigins(
  { index }: Store,
  records: readonly ListedRecipe[],
  via: Run['effective'],
): Promise<readonly Origin[]> {
  const pacer = new Pacer();
  interface Group {
    readonly vias: Set<string>;
    readonly repositories: Set<string>;
  }
  const groups = new Map<string, Group>();
  for (const record of records) {
    const { cookbook, repository, digest, ingredients } = record;
    if (pacer.isDue()) await pacer.rest();
    // the repository of a pushed recipe is that of this store
    const own = 'runId' in record ? [{ ref: cookbook, repository, digest }] : [];
    for (const part of [...own, ...ingredients]) {
      const host = hostOf(part.ref);
      const contacted = via.get(part.digest);
      const group = groups.get(host) ?? { vias: new Set<string>(), repositories: new Set<string>() };
      if (contacted !== undefined) group.vias.add(contacted);
      group.repositories.add(part.repository);
      groups.set(host, group);
    }
  }
  const origins: Origin[] = [];
  for (const [host, { vias, repositories }] of groups) {
    let bytes = 0;
    for (const repository of repositories) {
      if (pacer.isDue()) await pacer.rest();
      bytes += index.summaryOf(repository)?.sizeBytes ?? 0;
    }
    origins.push({ host, vias: [...vias].sort(), repositories: repositories.size, bytes });
  }
  return origins.sort((a, b) => b.bytes - a.bytes || (a.host < b.host ? -1 : 1));
}

/**
 * Shows where the content of recipes comes from, the largest part first. Computed once for each state of the store and
 * each run.
 *
 * @param isPushed whether others push all recipes: else those that no run brought are left out
 */
export function listOrigins(
  { store }: Pick<ViewParts, 'store'>,
  recipes: readonly (ListedRecipe | Pick<ListedRecipe, 'name'>)[],
  run: Run | undefined,
  isPushed = false,
): Promise<readonly Origin[]> {
  const isOf = isPushed ? 'ingredients' : 'runId';
  const records = recipes.filter((each): each is ListedRecipe => isOf in each);
  const key = `${store.head} ${run?.task.id ?? ''} ${records.length}`;
  const found = known.get(store);
  if (found?.key === key) return found.origins;
  const origins = computeOrigins(store, records, run?.effective ?? new Map());
  known.set(store, { key, origins });
  return origins;
}
