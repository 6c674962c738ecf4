import type { Store } from '../../store/model.ts';
import { openRepository } from '../../store/open-repository.ts';
import { recordUpload } from '../../store/record-upload.ts';
import type { PublishTarget } from './publish-recipe.ts';

/**
 * A repository of the store as a cookbook to publish in: what is put there counts as pushed, as if it had come through
 * the registry that serves it.
 *
 * @param actor whose upload it is
 */
export function openOwnCookbook(store: Store, name: string, actor: string): PublishTarget {
  const repository = openRepository(store, name, { owner: { provenance: 'push' } });
  return {
    fetchManifest: (reference, call) => repository.fetchManifest(reference, call),
    // what lies in another repository is not visible in this one
    hasBlob: async ({ digest }) => store.index.isBlobIn(name, digest),
    pushBlob: async (blob, from, call) => {
      await repository.pushBlob(blob, from(), call);
      await recordUpload(store, name, blob.digest, actor);
    },
    pushManifest: (reference, manifest, call) => repository.pushManifest(reference, manifest, call),
  };
}
