import type { Steps } from '../../base/pacer.ts';
import type { ArrivingManifest, StoreIndex, TagPlace, TagRecord } from '../../catalog/model.ts';
import { type RestoredTag, selectRestored } from '../../catalog/re-point.ts';
import type { Owner } from '../../contract/content.ts';
import { toTagKey } from '../../store/judge-put.ts';

/** Owners that leave tags, and earlier changes of the same run. Keys are `<repository>:<tag>`. */
export interface ReleaseChange {
  /** Tags that lose their last owner. */
  readonly leaving: ReadonlyMap<string, TagRecord>;
  /** Remaining owners, of each tag that loses some. */
  readonly left: ReadonlyMap<string, readonly Owner[]>;
  /** Tags that are changed before the release. */
  readonly changed?: ReadonlyMap<string, TagRecord>;
  /** Content that arrives before the release. */
  readonly arriving?: Iterable<ArrivingManifest>;
  /** Untagged manifests that arrive before the release. */
  readonly attached?: readonly TagPlace[];
}

export interface ReleaseProjection {
  /** Tags that return to the owners that were displaced from them, by the key of the tag. */
  readonly restored: ReadonlyMap<string, RestoredTag>;
  /** Bytes of everything present below a manifest, itself included. */
  sizeBelow(root: TagRecord['digest']): number;
  /** Bytes that are freed, each file counted once. */
  readonly freedBytes: number;
}

/**
 * Computes the effect of a release of owners, by the rules that the store applies. Changes nothing. The preview of a
 * prune or of a deletion, and the run itself, therefore agree.
 *
 * @returns steps of a tag or manifest each: a release may be that of half of a store
 */
export function* projectRelease(
  index: Pick<StoreIndex, 'tag' | 'project' | 'displacedFrom' | 'publication'>,
  change: ReleaseChange,
): Steps<ReleaseProjection> {
  const { leaving, changed = new Map<string, TagRecord>(), arriving = [], attached = [] } = change;
  const restored = yield* listRestored(index, { ...change, changed });
  const after = new Map<string, readonly [record: TagRecord, isLeaving: boolean]>();
  for (const [key, record] of changed) after.set(key, [record, false]);
  for (const [key, record] of leaving) {
    after.set(key, [record, true]);
    yield;
  }
  for (const [key, { alias, leaving: owners, restored: record }] of restored) {
    after.set(key, [record, false]);
    after.set(toTagKey(alias), [alias, owners.length === alias.owners.length]);
  }
  const tags = yield* compareTags(index, after.values());
  const projection = yield* index.project({
    arriving,
    coming: [...attached, ...tags.coming],
    leaving: tags.leaving,
  });
  return {
    restored,
    sizeBelow: (root) => projection.sizeBelow(root),
    freedBytes: projection.freedBytes,
  };
}

/** Lists the tags added and removed, by comparing current with projected records. */
function* compareTags(
  index: Pick<StoreIndex, 'tag'>,
  after: Iterable<readonly [record: TagRecord, isLeaving: boolean]>,
): Steps<{ readonly coming: readonly TagPlace[]; readonly leaving: readonly TagPlace[] }> {
  const coming: TagPlace[] = [];
  const leaving: TagPlace[] = [];
  for (const [record, isLeaving] of after) {
    yield;
    const before = index.tag(record.repository, record.tag);
    const isSame = !isLeaving && before?.digest === record.digest && before.held === record.held;
    if (isSame) continue;
    if (before) leaving.push(before);
    if (!isLeaving) coming.push(record);
  }
  return { coming, leaving };
}

/** Records that removed tags get instead, by the store's rule for returning a tag to its owner. */
function* listRestored(
  index: Pick<StoreIndex, 'displacedFrom' | 'publication'>,
  {
    changed,
    leaving,
    left,
  }: Pick<ReleaseChange, 'leaving' | 'left'> & { readonly changed: ReadonlyMap<string, TagRecord> },
): Steps<ReadonlyMap<string, RestoredTag>> {
  const arriving = new Map<string, TagRecord[]>();
  for (const record of changed.values())
    for (const { displaced } of record.owners) {
      if (displaced === undefined) continue;
      const key = toTagKey({ repository: record.repository, tag: displaced.tag });
      arriving.set(key, [...(arriving.get(key) ?? []), record]);
    }
  const restored = new Map<string, RestoredTag>();
  for (const [key, { repository, tag }] of leaving) {
    yield;
    const known = index.displacedFrom(repository, tag).filter((alias) => !changed.has(toTagKey(alias)));
    const aliases = [...known, ...(arriving.get(key) ?? [])].map((alias) => ({
      ...alias,
      owners: left.get(toTagKey(alias)) ?? alias.owners,
    }));
    const one = selectRestored(tag, aliases, index.publication(repository, tag)?.digest);
    if (one) restored.set(key, one);
  }
  return restored;
}
