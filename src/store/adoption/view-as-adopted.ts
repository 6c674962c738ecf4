import type { RecipeRecord, StoreIndex, TagRecord } from '../../catalog/model.ts';
import type { Store } from '../model.ts';

/**
 * Returns a store for reading as its adoption would leave it; a store of this instance is returned unchanged. The ledger
 * of another instance is a hint: every tag is an import, with a zone it is held, and no recipe counts as verified.
 */
export function viewAsAdopted(store: Store): Store {
  if (store.standing !== 'foreign') return store;
  const isHeld = store.core.parts.zone !== undefined;
  const { index } = store;
  const toTag = (tag: TagRecord): TagRecord => ({ ...tag, owners: [{ provenance: 'import' }], held: isHeld });
  const toRecipe = ({ keyFingerprint: _, trustScope: __, ...recipe }: RecipeRecord): RecipeRecord => ({
    ...recipe,
    verified: false,
  });
  const adopted: StoreIndex = {
    ...index,
    tags: (repository, options) => index.tags(repository, options).map(toTag),
    tag: (repository, tag) => {
      const known = index.tag(repository, tag);
      return known && toTag(known);
    },
    displacedFrom: () => [],
    tagsOf: (digest) => index.tagsOf(digest).map(toTag),
    recipes: () => (isHeld ? [] : index.recipes().map(toRecipe)),
    // content of held tags belongs to no repository that is served
    ...(isHeld
      ? {
          kindsOf: () => new Map(),
          repositoriesOf: () => [],
          isOfKind: () => false,
          isManifestIn: () => false,
          isBlobIn: () => false,
          isBlobNeeded: () => false,
          referrers: () => [],
          areSignaturesWhole: () => true,
        }
      : {}),
  };
  const { root, mediaId, standing, reason, readOnly, notices, damage, contradicted, ledgers } = store;
  const { lastSync, head, core, earlier, place } = store;
  const facts = { root, mediaId, standing, reason, readOnly, notices, damage, contradicted, ledgers };
  const now = { lastSync, head, core, earlier, place };
  return { ...facts, ...now, index: adopted, [Symbol.asyncDispose]: async () => {} };
}
