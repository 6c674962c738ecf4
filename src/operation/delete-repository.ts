import { svcError } from '../base/error.ts';
import type { Owner, TagRecord } from '../catalog/model.ts';
import { forgetPublished, releaseOwners, requireDeletable } from '../store/delete-content.ts';
import type { CollectionResult, RemovedTag, Store } from '../store/model.ts';

/** A tag that keeps other owners, and its owners after the deletion. */
interface KeptTag {
  readonly tag: string;
  readonly owners: readonly Owner[];
}

/** Result of the deletion of a repository; sizes in bytes. */
interface DeletedRepository extends CollectionResult {
  readonly repository: string;
  readonly removed: readonly RemovedTag[];
  /** Tags that remain because a recipe or a push owns them; empty when the repository is removed. */
  readonly kept: readonly KeptTag[];
}

/**
 * Whether an owner is an import on request (unit import, vulnerability database, local pack), which may be
 * removed on request.
 */
function isImport({ provenance }: Owner): boolean {
  return provenance === 'import' || provenance === 'vulnerability-database' || provenance === 'local-pack';
}

function recipesOf(tags: readonly TagRecord[]): readonly string[] {
  return [...new Set(tags.flatMap(({ owners }) => owners.flatMap(({ recipe }) => recipe ?? [])))].sort();
}

/**
 * Removes the tags that unit imports own in one repository, local packs and the vulnerability database
 * included, and collects the unreachable blobs. Repositories below it are not touched. A tag that a recipe or
 * a push owns too loses the import as an owner and remains. With the last tag, the records of published
 * recipes that clients have deleted are removed too.
 *
 * @throws SVC-REG-005 when there is no such repository; SVC-POL-002 or SVC-POL-003 when no import owns
 *   anything in it; the errors of a change of the store (SVC-MED-030, SVC-STO-002)
 */
export async function deleteRepository(store: Store, repository: string): Promise<DeletedRepository> {
  const { index } = store;
  const tags = index.tags(repository);
  // only records of deleted published recipes are left
  if (tags.length === 0 && (await forgetPublished(store, repository)))
    return { repository, removed: [], kept: [], blobs: 0, bytes: 0 };
  if (!index.hasRepository(repository)) throw svcError('SVC-REG-005', { reference: repository });
  requireDeletable(store);
  const releases = tags.flatMap(({ tag, owners }) =>
    owners.filter(isImport).map((owner) => ({ repository, tag, owner })),
  );
  if (releases.length === 0) {
    const recipes = recipesOf(tags);
    throw recipes.length > 0
      ? svcError('SVC-POL-002', { repository, recipes })
      : svcError('SVC-POL-003', { repository });
  }
  const result = await releaseOwners(store, releases);
  if (index.tags(repository).length === 0) await forgetPublished(store, repository);
  return {
    ...result,
    repository,
    kept: index.tags(repository).map(({ tag, owners }) => ({ tag, owners })),
  };
}
