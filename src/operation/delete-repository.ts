import { svcError } from '../base/error.ts';
import type { Owner, TagRecord } from '../catalog/model.ts';
import { forgetPublished, releaseOwners, requireDeletable } from '../store/delete-content.ts';
import type { CollectionResult, RemovedTag, Store } from '../store/model.ts';

/** A tag that somebody else answers for too, and its owners from now on. */
interface KeptTag {
  readonly tag: string;
  readonly owners: readonly Owner[];
}

/** What deleting a repository has done; sizes in bytes. */
interface DeletedRepository extends CollectionResult {
  readonly repository: string;
  readonly removed: readonly RemovedTag[];
  /** What stays, because a recipe brought it or a client pushed it; empty when the repository is gone. */
  readonly kept: readonly KeptTag[];
}

/** Whether an owner stands for content that came by itself: asked for by a person, and removable by one. */
function isImport({ provenance }: Owner): boolean {
  return provenance === 'import' || provenance === 'vulnerability-database' || provenance === 'local-pack';
}

function recipesOf(tags: readonly TagRecord[]): readonly string[] {
  return [...new Set(tags.flatMap(({ owners }) => owners.flatMap(({ recipe }) => recipe ?? [])))].sort();
}

/**
 * Deletes what unit imports have brought into one repository (a file set that was packed here and the vulnerability
 * database are such), and collects what nothing else holds. Repositories below it are others and are not touched. What
 * a recipe or a client answers for too loses the import as an owner and stays. With the repository goes what it remembers
 * of published recipes that clients have deleted.
 *
 * @throws SVC-REG-005 when there is no such repository; SVC-POL-002 or SVC-POL-003 when no import has brought anything
 *   of it; what a change of the store throws (SVC-MED-030, SVC-STO-002)
 */
export async function deleteRepository(store: Store, repository: string): Promise<DeletedRepository> {
  const { index } = store;
  const tags = index.tags(repository);
  // all that names something there is what clients have deleted
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
