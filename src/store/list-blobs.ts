import type { Digest } from '../base/digest.ts';
import { listPresent } from '../catalog/list-present.ts';
import {
  listRecipeManifests as listManifests,
  type RecipeManifest,
} from '../catalog/list-recipe-manifests.ts';
import type { Store } from './model.ts';

/**
 * Lists the present blobs in small batches, sorted by digest.
 *
 * @param last the list starts after this digest
 */
export function listBlobs(
  { core }: Store,
  last?: Digest,
): AsyncIterable<readonly { readonly digest: Digest; readonly size: number }[]> {
  return listPresent(core.graph.contents, last);
}

/** Lists the present manifests of recipe artifacts, including those that no run has recorded. */
export function listRecipeManifests({ core }: Store): Promise<readonly RecipeManifest[]> {
  return listManifests(core.graph.contents);
}
