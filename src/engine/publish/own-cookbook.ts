import { keepContent } from '../../store/keep-content.ts';
import type { Store } from '../../store/model.ts';
import { openRepository } from '../../store/open-repository.ts';
import { recordUpload } from '../../store/record-upload.ts';
import type { PublishTarget } from './publish-recipe.ts';

/**
 * Opens a repository of the store as a cookbook. Recipes published in it are owned as pushed, like those pushed through
 * the embedded registry.
 *
 * @param actor identity recorded for the upload
 */
export function openOwnCookbook(store: Store, name: string, actor: string): PublishTarget {
  const repository = openRepository(store, name, { owner: { provenance: 'push' } });
  return {
    fetchManifest: (reference, call) => repository.fetchManifest(reference, call),
    // a blob of another repository is not visible in this one
    hasBlob: async ({ digest }) => store.index.isBlobIn(name, digest),
    pushBlob: async (blob, from, call) => {
      using keeper = await keepContent(store);
      keeper.add(blob.digest);
      await repository.pushBlob(blob, from(), call);
      await recordUpload(store, name, blob.digest, actor);
    },
    pushManifest: (reference, manifest, call) => repository.pushManifest(reference, manifest, call),
  };
}
