import { Pacer } from '../../src/base/pacer.ts';
import type { ListedRecipe } from '../../src/operation/list-recipes.ts';
import { hostSegment } from '../../src/recipe/relocation.ts';
import type { Store } from '../../src/store/model.ts';
import type { Run } from '../../src/view/runs.ts';
import { selectRepositories } from '../../src/view/select-repositories.ts';
import type { ViewParts } from './parts.ts';

type Parts = Pick<ViewParts, 'store' | 'gate' | 'instance'>;

/** Where content of the store comes from: a host that recipes name, and the hosts that were contacted for it. */
export interface Origin {
  readonly host: string;
  /** The host itself is among them where it was contacted; empty where the last run contacted none for it. */
  readonly vias: readonly string[];
  /** Those of the host that the list of content has. */
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
  parts: Parts,
  records: readonly ListedRecipe[],
  via: Run['effective'],
): Promise<readonly Origin[]> {
  const { index } = parts.store;
  const pacer = new Pacer();
  const groups = new Map<string, Set<string>>();
  for (const record of records) {
    const { cookbook, digest, ingredients } = record;
    if (pacer.isDue()) await pacer.rest();
    // the repository of a pushed recipe is that of this store
    const own = 'runId' in record ? [{ ref: cookbook, digest }] : [];
    for (const part of [...own, ...ingredients]) {
      const host = hostOf(part.ref);
      const contacted = via.get(part.digest);
      const vias = groups.get(host) ?? new Set<string>();
      if (contacted !== undefined) vias.add(contacted);
      groups.set(host, vias);
    }
  }
  // the folder of a host in the list of content, which has the same repositories
  const { basePrefix = '' } = parts.instance.context.config.storage;
  const start = basePrefix === '' ? '' : `${basePrefix}/`;
  const found = [...groups].map(([host, vias]) => ({
    ...{ host, vias: [...vias].sort(), repositories: 0, bytes: 0 },
    folder: `${start}${hostSegment(host)}/`,
  }));
  for (const name of await selectRepositories(parts, {})) {
    if (pacer.isDue()) await pacer.rest();
    const origin = found.find(({ folder }) => name.startsWith(folder));
    if (origin === undefined) continue;
    origin.repositories += 1;
    origin.bytes += index.summaryOf(name)?.sizeBytes ?? 0;
  }
  const origins = found.map(({ folder: _, ...origin }): Origin => origin);
  return origins.sort((a, b) => b.bytes - a.bytes || (a.host < b.host ? -1 : 1));
}

/**
 * Shows where the content of recipes comes from, the largest part first. Computed once for each state of the store and
 * each run.
 *
 * @param isPushed whether others push all recipes: else those that no run brought are left out
 */
export function listOrigins(
  parts: Parts,
  recipes: readonly (ListedRecipe | Pick<ListedRecipe, 'name'>)[],
  run: Run | undefined,
  isPushed = false,
): Promise<readonly Origin[]> {
  const isOf = isPushed ? 'ingredients' : 'runId';
  const records = recipes.filter((each): each is ListedRecipe => isOf in each);
  const { store } = parts;
  const key = `${store.head} ${run?.task.id ?? ''} ${records.length}`;
  const found = known.get(store);
  if (found?.key === key) return found.origins;
  const origins = computeOrigins(parts, records, run?.effective ?? new Map());
  known.set(store, { key, origins });
  return origins;
}
