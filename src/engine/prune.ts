import { setImmediate as breathe } from 'node:timers/promises';
import type { Digest } from '../base/digest.ts';
import type { Report } from '../base/report.ts';
import type { Owner, Store, StoreIndex, TagRecord } from '../store/model.ts';
import type { PruneItem } from './model.ts';

/** Who owns which tags once a run is complete: `<repository>:<tag>` → owners. */
export type Ownership = ReadonlyMap<string, readonly Owner[]>;

export interface Release {
  readonly repository: string;
  readonly tag: string;
  readonly owner: Owner;
}

export interface PrunePlan {
  /** Tags that go: all their owners are recipes that left. */
  readonly items: readonly PruneItem[];
  /** Owners that are dropped, of tags that go and of tags that stay. */
  readonly releases: readonly Release[];
  /** Bytes that going sets free, each once. */
  readonly totalBytes: number;
}

type TagView = Pick<StoreIndex, 'repositories' | 'tags'>;

const sliceMs = 8;

/** Yields to the event loop whenever a slice of time is used up. */
function createBreath(): () => Promise<void> {
  let from = performance.now();
  return async () => {
    if (performance.now() - from < sliceMs) return;
    await breathe();
    from = performance.now();
  };
}

function isSameRecipe(a: Owner, b: Owner): boolean {
  return (
    a.provenance === 'recipe' &&
    b.provenance === 'recipe' &&
    a.recipe === b.recipe &&
    a.cookbook === b.cookbook
  );
}

/** All tags of a store, page by page. */
function* listTags(index: TagView): Generator<TagRecord> {
  const limit = 500;
  for (let last: string | undefined; ; ) {
    const names = index.repositories({ limit, ...(last === undefined ? {} : { last }) });
    for (const name of names) yield* index.tags(name);
    if (names.length < limit) return;
    last = names.at(-1);
  }
}

/**
 * What no recipe of the run reaches any more. Only owners whose provenance is positively `recipe` are ever released; a
 * tag goes when no other owner is left. What is held is not touched.
 */
export async function planPrune(
  index: TagView & Pick<StoreIndex, 'reach' | 'sizeOf'>,
  wanted: Ownership,
): Promise<PrunePlan> {
  const pause = createBreath();
  const releases: Release[] = [];
  const leaving: { record: TagRecord; recipe: string }[] = [];
  const staying = new Set<Digest>();
  for (const record of listTags(index)) {
    await pause();
    const { repository, tag, owners, held, digest } = record;
    const keep = wanted.get(`${repository}:${tag}`) ?? [];
    const released = held
      ? []
      : owners.filter(
          (owner) => owner.provenance === 'recipe' && !keep.some((other) => isSameRecipe(owner, other)),
        );
    for (const owner of released) releases.push({ repository, tag, owner });
    if (released.length > 0 && released.length === owners.length)
      leaving.push({
        record,
        recipe: released
          .map(({ recipe }) => recipe ?? '')
          .sort()
          .join(', '),
      });
    else staying.add(digest);
  }
  if (leaving.length === 0) return { items: [], releases, totalBytes: 0 };

  const freed = new Set<Digest>();
  let totalBytes = 0;
  const items: PruneItem[] = [];
  for (const { record, recipe } of leaving) {
    await pause();
    const { repository, tag, digest } = record;
    let sizeBytes = 0;
    for (const one of index.reach(digest)) {
      const size = index.sizeOf(one) ?? 0;
      sizeBytes += size;
      if (!freed.has(one)) totalBytes += size;
      freed.add(one);
    }
    items.push({ repository, tag, digest, recipe, sizeBytes });
  }
  for (const root of staying) {
    if (freed.size === 0) break;
    await pause();
    for (const one of index.reach(root)) if (freed.delete(one)) totalBytes -= index.sizeOf(one) ?? 0;
  }
  return { items, releases, totalBytes };
}

/**
 * Carries a plan out, and names every item that went with the recipe that had brought it.
 *
 * @throws SVC-STO-00x
 */
export async function runPrune(
  store: Pick<Store, 'releaseOwners'>,
  plan: PrunePlan,
  report: Report,
): Promise<readonly PruneItem[]> {
  if (plan.releases.length === 0) return [];
  const { removed } = await store.releaseOwners(plan.releases);
  const gone = new Set(removed.map(({ repository, tag }) => `${repository}:${tag}`));
  const items = plan.items.filter(({ repository, tag }) => gone.has(`${repository}:${tag}`));
  for (const { repository, tag, digest, recipe, sizeBytes } of items) {
    report.log('info', 'Pruned', { repository, tag, digest, recipe, sizeBytes });
    report.audit({
      actor: 'system',
      action: 'prune',
      target: `${repository}:${tag}`,
      outcome: 'success',
      details: { digest, recipe },
    });
  }
  return items;
}
