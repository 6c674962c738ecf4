import type { Digest } from '../base/digest.ts';
import { listPresent } from '../catalog/list-present.ts';
import {
  listRecipeManifests as listManifests,
  type RecipeManifest,
} from '../catalog/list-recipe-manifests.ts';
import type { Store } from './model.ts';

/**
 * The blobs that are present, in the order of their digests, in small batches.
 *
 * @param last the digest after which the list begins
 */
export function listBlobs(
  { core }: Store,
  last?: Digest,
): AsyncIterable<readonly { readonly digest: Digest; readonly size: number }[]> {
  return listPresent(core.graph.contents, last);
}

/** The manifests of recipe artifacts that are present, whether or not a run has recorded them. */
export function listRecipeManifests({ core }: Store): Promise<readonly RecipeManifest[]> {
  return listManifests(core.graph.contents);
}
