import type { Digest } from '../base/digest.ts';
import { Pacer, runInTurns, type Steps } from '../base/pacer.ts';
import { toUnknownName } from '../catalog/unknown-name.ts';
import type { KeptTag } from '../contract/content.ts';
import {
  type DeletePlan,
  fingerprintDelete,
  planDelete,
  requireImported,
} from '../engine/release/plan-delete.ts';
import { forgetPublished, releaseOwners, requireDeletable } from '../store/delete-content.ts';
import type { CollectionResult, RemovedTag, Store } from '../store/model.ts';
import { svcError } from '../text/error.ts';

/** Result of the deletion of a repository; sizes in bytes. */
interface DeletedRepository extends CollectionResult {
  readonly repository: string;
  readonly removed: readonly RemovedTag[];
  /** Tags that remain because a recipe or a push owns them; empty when the repository is removed. */
  readonly kept: readonly KeptTag[];
}

/** Preview of a deletion. */
export interface DeletePreview extends Omit<DeletePlan, 'releases'> {
  /** Passed to the deletion, it makes the deletion fail when something else would be removed or kept by then. */
  readonly fingerprint: Digest;
}

/**
 * Shows the tags that {@link deleteRepository} would remove and keep. Changes nothing. Others take turns: changes
 * meanwhile may be shown in part, and then the fingerprint does not hold.
 *
 * @throws the errors of {@link deleteRepository}, except those of writing
 */
export async function previewDelete(store: Store, repository: string): Promise<DeletePreview> {
  requirePresent(store, repository);
  requireDeletable(store);
  if (isForgotten(store, repository)) {
    const plan = { repository, removed: [], kept: [], freedBytes: 0, releases: [] };
    return runInTurns(toPreview(plan));
  }
  const pacer = new Pacer();
  return runInTurns(toPreview(await runInTurns(planDelete(store.index, repository), pacer)), pacer);
}

function* toPreview(plan: DeletePlan): Steps<DeletePreview> {
  const { releases: _, ...shown } = plan;
  return { ...shown, fingerprint: yield* fingerprintDelete(plan) };
}

async function listKept({ index }: Store, repository: string): Promise<readonly KeptTag[]> {
  const pacer = new Pacer();
  const kept: KeptTag[] = [];
  for (const tag of index.tagNames(repository)) {
    if (pacer.isDue()) await pacer.rest();
    const record = index.tag(repository, tag);
    if (record !== undefined) kept.push({ tag, owners: record.owners });
  }
  return kept;
}

/** Whether only records of deleted published recipes are left of a repository. */
function isForgotten({ index }: Store, repository: string): boolean {
  return index.tags(repository, { limit: 1 }).length === 0 && index.hasPublications(repository);
}

/** @throws SVC-REG-005 */
function requirePresent(store: Store, repository: string): void {
  if (!store.index.hasRepository(repository) && !isForgotten(store, repository))
    throw toUnknownName(repository, store.index.repositories());
}

/**
 * Removes the tags that unit imports own in one repository, local packs and the vulnerability database
 * included, and collects the unreachable blobs. Repositories below it are not touched. A tag that a recipe or
 * a push owns too loses the import as an owner and remains. With the last tag, the records of published
 * recipes that clients have deleted are removed too.
 *
 * @param options.fingerprint of the preview on which the request rests
 * @throws SVC-REG-005 when there is no such repository; SVC-POL-002 or SVC-POL-003 when no import owns
 *   anything in it; SVC-STO-015 when the preview no longer holds; the errors of a change of the store
 *   (SVC-MED-030, SVC-STO-002)
 */
export async function deleteRepository(
  store: Store,
  repository: string,
  { fingerprint }: { readonly fingerprint?: string | undefined } = {},
): Promise<DeletedRepository> {
  const { index } = store;
  if (isForgotten(store, repository) && (await forgetPublished(store, repository)))
    return { repository, removed: [], kept: [], blobs: 0, bytes: 0 };
  requirePresent(store, repository);
  requireDeletable(store);
  // refused before the queue of changes; decided again in the step that records it
  await runInTurns(requireImported(index, repository));
  const result = await releaseOwners(store, async () => {
    const pacer = new Pacer();
    const plan = await runInTurns(planDelete(index, repository), pacer);
    if (fingerprint !== undefined && (await runInTurns(fingerprintDelete(plan), pacer)) !== fingerprint)
      throw svcError('SVC-STO-015', { repository });
    return plan.releases;
  });
  if (index.tags(repository, { limit: 1 }).length === 0) await forgetPublished(store, repository);
  return {
    ...result,
    repository,
    kept: await listKept(store, repository),
  };
}
