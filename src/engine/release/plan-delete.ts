import { type Digest, hashBytes } from '../../base/digest.ts';
import { svcError } from '../../base/error.ts';
import type { Owner, StoreIndex, TagRecord } from '../../catalog/model.ts';
import { toUnknownName } from '../../catalog/unknown-name.ts';
import type { Release } from '../../store/delete-content.ts';
import { toTagKey } from '../../store/judge-put.ts';
import { projectRelease } from './project-release.ts';

/** A tag that loses its last owner; sizes in bytes. */
export interface DeletedTag {
  readonly tag: string;
  readonly digest: Digest;
  readonly sizeBytes: number;
  /** What the tag names afterwards: it returns to the owner that was displaced from it. */
  readonly restored?: Digest;
}

/** A tag that other owners keep, and its owners afterwards. */
export interface KeptTag {
  readonly tag: string;
  readonly owners: readonly Owner[];
}

/** What a deletion would do; sizes in bytes. */
export interface DeletePlan {
  readonly repository: string;
  readonly removed: readonly DeletedTag[];
  /** What remains, because a recipe or a client owns it too; empty when the repository is removed. */
  readonly kept: readonly KeptTag[];
  /** Bytes that are freed, each file counted once. */
  readonly freedBytes: number;
  /** Owners to release. */
  readonly releases: readonly Release[];
}

/** Whether an owner is an import: removable on request, unlike a recipe or a client. */
function isImport({ provenance }: Owner): boolean {
  return provenance === 'import' || provenance === 'vulnerability-database' || provenance === 'local-pack';
}

function recipesOf(tags: readonly TagRecord[]): readonly string[] {
  return [...new Set(tags.flatMap(({ owners }) => owners.flatMap(({ recipe }) => recipe ?? [])))].sort();
}

/**
 * Decides what a deletion of the imported content of one repository removes and keeps. Changes nothing: the same function
 * gives the preview, and the decision in the step that records the deletion.
 *
 * @throws SVC-REG-005 when there is no such repository; SVC-POL-002, SVC-POL-003 when none of its content is imported
 */
export function planDelete(
  index: Pick<StoreIndex, 'hasRepository' | 'tags' | 'tag' | 'project' | 'displacedFrom' | 'publication'>,
  repository: string,
): DeletePlan {
  if (!index.hasRepository(repository)) throw toUnknownName(repository);
  const tags = index.tags(repository);
  const releases: Release[] = [];
  const leaving = new Map<string, TagRecord>();
  const left = new Map<string, readonly Owner[]>();
  for (const record of tags) {
    const { tag, owners } = record;
    const others = owners.filter((owner) => !isImport(owner));
    if (others.length === owners.length) continue;
    for (const owner of owners.filter(isImport)) releases.push({ repository, tag, owner });
    left.set(toTagKey(record), others);
    if (others.length === 0) leaving.set(toTagKey(record), record);
  }
  if (releases.length === 0) {
    const recipes = recipesOf(tags);
    throw recipes.length > 0
      ? svcError('SVC-POL-002', { repository, recipes })
      : svcError('SVC-POL-003', { repository });
  }
  const { restored, sizeBelow, freedBytes } = projectRelease(index, { leaving, left });
  const removed = [...leaving].map(([key, { tag, digest }]): DeletedTag => {
    const back = restored.get(key)?.restored.digest;
    return { tag, digest, sizeBytes: sizeBelow(digest), ...(back === undefined ? {} : { restored: back }) };
  });
  const after = new Map(
    tags.map(({ tag, owners, ...place }) => [tag, left.get(toTagKey({ ...place, tag })) ?? owners]),
  );
  for (const { alias, leaving: gone, restored: record } of restored.values()) {
    after.set(record.tag, record.owners);
    after.set(
      alias.tag,
      (after.get(alias.tag) ?? []).filter((owner) => !gone.includes(owner)),
    );
  }
  const kept = [...after].flatMap(([tag, owners]) => (owners.length === 0 ? [] : [{ tag, owners }]));
  return { repository, removed, kept, freedBytes, releases };
}

/**
 * Fingerprint of what a preview of a deletion shows: equal exactly when the same tags with the same content are removed
 * and kept.
 */
export function fingerprintDelete({ repository, removed, kept }: DeletePlan): Digest {
  return hashBytes(
    JSON.stringify([
      repository,
      removed.map(({ tag, digest, restored }) => [tag, digest, restored ?? '']),
      kept.map(({ tag, owners }) => [tag, owners]),
    ]),
  );
}
