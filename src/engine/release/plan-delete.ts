import { createHash } from 'node:crypto';
import { type Digest, toDigest } from '../../base/digest.ts';
import type { Steps } from '../../base/pacer.ts';
import type { StoreIndex, TagRecord } from '../../catalog/model.ts';
import { toUnknownName } from '../../catalog/unknown-name.ts';
import type { DeletedTag, KeptTag, Owner } from '../../contract/content.ts';
import type { Release } from '../../store/delete-content.ts';
import { toTagKey } from '../../store/judge-put.ts';
import { svcError } from '../../text/error.ts';
import { projectRelease } from './project-release.ts';

/** Effects of a deletion; sizes in bytes. */
export interface DeletePlan {
  readonly repository: string;
  readonly removed: readonly DeletedTag[];
  /** Tags that remain, because a recipe or a client owns them too; empty when the repository is removed. */
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

type Index = Pick<
  StoreIndex,
  'hasRepository' | 'tagNames' | 'tag' | 'project' | 'displacedFrom' | 'publication'
>;

/**
 * Requires that an import owns a tag of a repository; reads its tags up to the first.
 *
 * @returns steps of a tag each
 * @throws SVC-REG-005 when there is no such repository; SVC-POL-002, SVC-POL-003 when none of its content is imported
 */
export function* requireImported(
  index: Pick<Index, 'hasRepository' | 'tagNames' | 'tag'>,
  repository: string,
): Steps<void> {
  if (!index.hasRepository(repository)) throw toUnknownName(repository);
  const recipes = new Set<string>();
  for (const tag of index.tagNames(repository)) {
    yield;
    const owners = index.tag(repository, tag)?.owners ?? [];
    if (owners.some(isImport)) return;
    for (const { recipe } of owners) if (recipe !== undefined) recipes.add(recipe);
  }
  throw recipes.size > 0
    ? svcError('SVC-POL-002', { repository, recipes: [...recipes].sort() })
    : svcError('SVC-POL-003', { repository });
}

/**
 * Decides which tags a deletion of the imported content of one repository removes and keeps. Changes nothing: the same
 * function gives the preview, and the decision in the step that records the deletion.
 *
 * @returns steps of a tag or manifest each: a repository may have as many tags as the store
 * @throws SVC-REG-005 when there is no such repository; SVC-POL-002, SVC-POL-003 when none of its content is imported
 */
export function* planDelete(index: Index, repository: string): Steps<DeletePlan> {
  yield* requireImported(index, repository);
  const releases: Release[] = [];
  const leaving = new Map<string, TagRecord>();
  const left = new Map<string, readonly Owner[]>();
  const after = new Map<string, readonly Owner[]>();
  for (const tag of index.tagNames(repository)) {
    yield;
    const record = index.tag(repository, tag);
    // removed since the first step
    if (record === undefined) continue;
    const { owners } = record;
    const others = owners.filter((owner) => !isImport(owner));
    after.set(tag, others);
    if (others.length === owners.length) continue;
    for (const owner of owners.filter(isImport)) releases.push({ repository, tag, owner });
    left.set(toTagKey(record), others);
    if (others.length === 0) leaving.set(toTagKey(record), record);
  }
  const { restored, sizeBelow, freedBytes } = yield* projectRelease(index, { leaving, left });
  const removed: DeletedTag[] = [];
  for (const [key, { tag, digest }] of leaving) {
    yield;
    const back = restored.get(key)?.restored.digest;
    removed.push({
      tag,
      digest,
      sizeBytes: sizeBelow(digest),
      ...(back === undefined ? {} : { restored: back }),
    });
  }
  for (const { alias, leaving: gone, restored: record } of restored.values()) {
    yield;
    after.set(record.tag, record.owners);
    after.set(
      alias.tag,
      (after.get(alias.tag) ?? []).filter((owner) => !gone.includes(owner)),
    );
  }
  const kept: KeptTag[] = [];
  for (const [tag, owners] of after) {
    yield;
    if (owners.length > 0) kept.push({ tag, owners });
  }
  return { repository, removed, kept, freedBytes, releases };
}

/**
 * Fingerprint of the preview of a deletion: equal exactly when the same tags with the same content are removed and
 * kept.
 *
 * @returns steps of a tag each
 */
export function* fingerprintDelete({ repository, removed, kept }: DeletePlan): Steps<Digest> {
  const hash = createHash('sha256');
  // one JSON value a line, and how many there are of each: two plans never give the same text
  const add = (line: readonly unknown[]): void => {
    hash.update(`${JSON.stringify(line)}\n`);
  };
  add([repository, removed.length, kept.length]);
  for (const { tag, digest, restored } of removed) {
    yield;
    add([tag, digest, restored ?? '']);
  }
  for (const { tag, owners } of kept) {
    yield;
    add([tag, owners]);
  }
  return toDigest('sha256', hash);
}
