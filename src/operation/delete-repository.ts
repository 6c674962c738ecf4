import { svcError } from '../base/error.ts';
import type { CollectionResult, Owner, RemovedTag, Store, TagRecord } from '../store/model.ts';

/** A tag that somebody else answers for too, and its owners from now on. */
export interface KeptTag {
  readonly tag: string;
  readonly owners: readonly Owner[];
}

/** What deleting a repository has done; sizes in bytes. */
export interface DeletedRepository extends CollectionResult {
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
 * a recipe or a client answers for too loses the import as an owner and stays.
 *
 * @throws SVC-REG-005 when there is no such repository; SVC-POL-002 or SVC-POL-003 when no import has brought anything
 *   of it; what a change of the store throws (SVC-MED-030, SVC-STO-002)
 */
export async function deleteRepository(store: Store, repository: string): Promise<DeletedRepository> {
  const { index } = store;
  if (!index.hasRepository(repository)) throw svcError('SVC-REG-005', { reference: repository });
  const tags = index.tags(repository);
  const releases = tags.flatMap(({ tag, owners }) =>
    owners.filter(isImport).map((owner) => ({ repository, tag, owner })),
  );
  if (releases.length === 0) {
    const recipes = recipesOf(tags);
    throw recipes.length > 0
      ? svcError('SVC-POL-002', { repository, recipes })
      : svcError('SVC-POL-003', { repository });
  }
  const result = await store.releaseOwners(releases);
  return {
    ...result,
    repository,
    kept: index.tags(repository).map(({ tag, owners }) => ({ tag, owners })),
  };
}
