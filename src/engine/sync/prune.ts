import { type Digest, fingerprintOf } from '../../base/digest.ts';
import { Pacer, runInTurns } from '../../base/pacer.ts';
import type { Report } from '../../base/report.ts';
import { isSameOwner } from '../../catalog/content-records.ts';
import type { ArrivingManifest, StoreIndex, TagPlace, TagRecord } from '../../catalog/model.ts';
import type { PruneItem } from '../../contract/common.ts';
import type { Owner } from '../../contract/content.ts';
import { parseManifest } from '../../oci/manifest.ts';
import { type Release, releaseOwners } from '../../store/delete-content.ts';
import { toTagKey } from '../../store/judge-put.ts';
import type { Store } from '../../store/model.ts';
import type { PruneOrder } from '../../task/prune-order.ts';
import { toGraphManifest } from '../copy/read-graph.ts';
import { projectRelease } from '../release/project-release.ts';
import { listOwnedTags } from './ownership.ts';
import { listLowered, type PlannedRecipeWork } from './plan-sync.ts';
import { type ProjectedTags, projectTags } from './project-tags.ts';
import type { VerifiedRecipe } from './resolve-recipe.ts';

/** Content that a run transfers, as far as reachability depends on it. */
interface Arrival {
  readonly manifests: readonly ArrivingManifest[];
  /** Signatures that are transferred with recipes. */
  readonly attached: readonly TagPlace[];
}

/** Signatures transferred with a recipe, except those too large to be kept in memory. */
function* listSignatures({ signatures }: VerifiedRecipe): Generator<ArrivingManifest> {
  for (const { manifest } of signatures?.evidence ?? []) {
    const { bytes, descriptor } = manifest;
    yield toGraphManifest(descriptor, parseManifest(bytes, descriptor.mediaType));
  }
}

/** Lists everything that the recipes of a run transfer, already stored or not. */
function listArrival(works: readonly PlannedRecipeWork[], index: Pick<StoreIndex, 'manifest'>): Arrival {
  const manifests: ArrivingManifest[] = [];
  const attached: TagPlace[] = [];
  for (const { resolution } of works) {
    const { recipe, ingredients } = resolution;
    if (recipe.outcome === 'failed') continue;
    const { descriptor, config, layer, repository } = recipe;
    manifests.push({ ...descriptor, manifests: [], blobs: [config, layer] });
    for (const signature of listSignatures(recipe)) {
      manifests.push(signature);
      if (index.manifest(signature.digest) === undefined)
        attached.push({ repository, digest: signature.digest, held: false });
    }
    for (const { graph } of ingredients) manifests.push(...(graph?.manifests ?? []));
  }
  return { manifests, attached };
}

export interface PrunePlan {
  /** Tags to remove: all their owners are recipes that left the Retriever. */
  readonly items: readonly PruneItem[];
  /** Owners to remove, of removed and of remaining tags. */
  readonly releases: readonly Release[];
  /** Bytes that are freed, each content once. */
  readonly totalBytes: number;
}

/** Fingerprint of the preview of a prune: equal exactly when the same tags go, and name the same content afterwards. */
export function fingerprintPrune(items: readonly PruneItem[]): Digest {
  return fingerprintOf([
    'prune',
    items.map(({ repository, tag, digest, restored }) => [repository, tag, digest, restored ?? '']),
  ]);
}

export const noPrune: PrunePlan = { items: [], releases: [], totalBytes: 0 };

type TagView = Pick<StoreIndex, 'repositories' | 'tags'>;

/** All tags of a store, read page by page. */
function* listTags(index: TagView): Generator<TagRecord> {
  const limit = 500;
  for (let last: string | undefined; ; ) {
    const names = index.repositories({ limit, last });
    for (const name of names) yield* listTagsOf(index, name, limit);
    if (names.length < limit) return;
    last = names.at(-1);
  }
}

function* listTagsOf(index: TagView, repository: string, limit: number): Generator<TagRecord> {
  for (let last: string | undefined; ; ) {
    const tags = index.tags(repository, { limit, last });
    yield* tags;
    if (tags.length < limit) return;
    last = tags.at(-1)!.tag;
  }
}

/**
 * Decides which tags no recipe of a run needs once the run is complete. Preview, plan and run use it: before the run
 * with the projected tags and the arriving content, after the run these equal the records. Only owners with the
 * provenance `recipe` are released; a tag is removed when no other owner remains. Held tags are kept. Others take turns
 * meanwhile: returned sizes and tags are those of the moment of their look-up. The store decides again for each owner
 * when it records the release.
 *
 * @param arrival called only when a tag is removed
 * @param isKept for owners that keep their tags, although no recipe of the run needs them
 */
export async function planPrune(
  index: Pick<StoreIndex, 'repositories' | 'tags' | 'tag' | 'project' | 'displacedFrom' | 'publication'>,
  { changed, wanted }: ProjectedTags,
  arrival: () => Arrival,
  isKept: (owner: Owner) => boolean = () => false,
): Promise<PrunePlan> {
  const pacer = new Pacer();
  const releases: Release[] = [];
  const leaving = new Map<string, TagRecord>();
  /** Remaining owners, of tags that lose some. */
  const left = new Map<string, readonly Owner[]>();
  const consider = (record: TagRecord): void => {
    const { repository, tag, owners, held } = record;
    if (held) return;
    const key = toTagKey(record);
    const keep = wanted.get(key) ?? [];
    const released = owners.filter(
      (owner) =>
        owner.provenance === 'recipe' && !keep.some((other) => isSameOwner(owner, other)) && !isKept(owner),
    );
    if (released.length === 0) return;
    for (const owner of released) releases.push({ repository, tag, owner });
    left.set(
      key,
      owners.filter((owner) => !released.includes(owner)),
    );
    if (released.length === owners.length) leaving.set(key, record);
  };
  for (const record of listTags(index)) {
    if (pacer.isDue()) await pacer.rest();
    if (!changed.has(toTagKey(record))) consider(record);
  }
  for (const record of changed.values()) consider(record);
  if (leaving.size === 0) return { ...noPrune, releases };

  const { manifests, attached } = arrival();
  const steps = projectRelease(index, { leaving, left, changed, arriving: manifests, attached });
  const projection = await runInTurns(steps, pacer);
  const items: PruneItem[] = [];
  for (const { repository, tag, digest, owners } of [...leaving.values()].sort(byName)) {
    if (pacer.isDue()) await pacer.rest();
    const recipe = owners
      .map((owner) => owner.recipe ?? '')
      .sort()
      .join(', ');
    const back = projection.restored.get(toTagKey({ repository, tag }))?.restored.digest;
    const sizeBytes = projection.sizeBelow(digest);
    items.push({
      repository,
      tag,
      digest,
      recipe,
      sizeBytes,
      ...(back === undefined ? {} : { restored: back }),
    });
  }
  return { items, releases, totalBytes: projection.freedBytes };
}

/**
 * Makes a test for recipes that a run keeps in every version. Their source offers a lower one, and the prune was not
 * requested by name.
 */
export function toKeptRecipes(
  works: readonly PlannedRecipeWork[],
  order: PruneOrder,
): (recipe: { readonly cookbook?: string; readonly name: string }) => boolean {
  const lowered = order === 'asked' ? [] : listLowered(works);
  return ({ cookbook, name }) => lowered.some((one) => one.name === name && one.cookbook === cookbook);
}

/** Plans the prune after these recipes. For a foreign store it is empty: a sync adopts the store first. */
export async function planRunPrune(
  { index, standing }: Pick<Store, 'index' | 'standing'>,
  works: readonly PlannedRecipeWork[],
  order: PruneOrder,
): Promise<PrunePlan> {
  if (standing === 'foreign') return noPrune;
  const owned = works.flatMap((work) => listOwnedTags(work, index));
  const isKept = toKeptRecipes(works, order);
  return planPrune(
    index,
    projectTags(owned, index),
    () => listArrival(works, index),
    ({ recipe = '', ...owner }) => isKept({ ...owner, name: recipe.split('@', 1)[0]! }),
  );
}

function byName(a: TagRecord, b: TagRecord): number {
  if (a.repository !== b.repository) return a.repository < b.repository ? -1 : 1;
  return a.tag < b.tag ? -1 : 1;
}

/**
 * Executes a prune plan, and logs and audits every tag removed with its recipe.
 *
 * @returns the tags removed, and the bytes freed
 * @throws SVC-STO-00x
 */
export async function runPrune(
  store: Store,
  plan: PrunePlan,
  { report, actor }: { readonly report: Report; readonly actor: string },
): Promise<{ readonly items: readonly PruneItem[]; readonly bytes: number }> {
  if (plan.releases.length === 0) return { items: [], bytes: 0 };
  const { removed, bytes } = await releaseOwners(store, plan.releases);
  const pacer = new Pacer();
  const gone = new Set<string>();
  for (const tag of removed) {
    if (pacer.isDue()) await pacer.rest();
    gone.add(toTagKey(tag));
  }
  const items: PruneItem[] = [];
  for (const item of plan.items) {
    if (pacer.isDue()) await pacer.rest();
    if (!gone.has(toTagKey(item))) continue;
    items.push(item);
    const { repository, tag, digest, recipe, sizeBytes, restored } = item;
    report.log('info', 'Pruned', { repository, tag, digest, recipe, sizeBytes, restored });
    report.audit({
      actor,
      action: 'prune',
      target: `${repository}:${tag}`,
      outcome: 'success',
      details: { digest, recipe, ...(restored === undefined ? {} : { restored }) },
    });
  }
  return { items, bytes };
}
