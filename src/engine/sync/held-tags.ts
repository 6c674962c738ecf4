import type { StoreIndex } from '../../catalog/model.ts';
import { endsWait } from '../../catalog/re-point.ts';
import { isAttachmentTag } from '../../oci/reference.ts';
import type { Store } from '../../store/model.ts';
import { type SvcError, svcError } from '../../text/error.ts';
import { listOwnedTags, type OwnedTag } from './ownership.ts';
import type { PlannedRecipeWork } from './plan-sync.ts';
import type { NamedWork } from './sync-items.ts';

/** Whether a tag names the content of a recipe and has the recipe as an owner. */
function isOwned({ repository, tag, digest, owner }: OwnedTag, index: Pick<StoreIndex, 'tag'>): boolean {
  const known = index.tag(repository, tag);
  return (
    known?.digest === digest &&
    !known.held &&
    known.owners.some(
      (one) =>
        one.provenance === 'recipe' &&
        one.recipe === owner.recipe &&
        one.cookbook === owner.cookbook &&
        !endsWait(one, owner),
    )
  );
}

/** Creates a predicate: whether the store needs no change for a recipe. */
export function isSettledIn(store: Store): (named: NamedWork) => boolean {
  return ({ work }) =>
    work.status === 'up-to-date' &&
    work.ingredients.every(({ status }) => status === 'up-to-date') &&
    listOwnedTags(work, store.index).every((owned) => isOwned(owned, store.index));
}

/**
 * Judges whether the store holds a recipe once all recipes of the run have been brought: each of its tags still names its
 * content. A client or another recipe may have changed one meanwhile. Signatures are not judged: clients may add some.
 *
 * @returns SVC-STO-016 for the first tag that does not; undefined when all do
 */
export function findLoss(
  work: PlannedRecipeWork,
  index: Pick<StoreIndex, 'tag' | 'manifest' | 'isManifestIn'>,
): SvcError | undefined {
  const lost = listOwnedTags(work, index)
    .filter(({ tag }) => !isAttachmentTag(tag))
    .find((owned) => !isOwned(owned, index) || !index.isManifestIn(owned.repository, owned.digest));
  if (lost === undefined) return undefined;
  const { repository, tag, digest, owner } = lost;
  return svcError('SVC-STO-016', {
    recipe: owner.recipe ?? '',
    reference: `${repository}:${tag}`,
    digest,
  });
}
