import type { ArrivingManifest, StoreIndex, TagPlace } from '../../catalog/model.ts';
import { parseManifest } from '../../oci/manifest.ts';
import { toGraphManifest } from '../copy/read-graph.ts';
import type { PlannedRecipeWork } from './plan-sync.ts';
import type { VerifiedRecipe } from './resolve-recipe.ts';

/** Content that a run transfers, as far as reachability depends on it. */
export interface Arrival {
  readonly manifests: readonly ArrivingManifest[];
  /** Signatures that are transferred with recipes. */
  readonly attached: readonly TagPlace[];
}

/** Signatures transferred with a recipe, except those too large to be kept in memory. */
function* listSignatures({ signatures }: VerifiedRecipe): Generator<ArrivingManifest> {
  for (const { manifest } of signatures?.evidence ?? []) {
    const { bytes, descriptor } = manifest;
    yield toGraphManifest(descriptor, parseManifest(bytes, descriptor.mediaType));
  }
}

/** Lists everything that the recipes of a run transfer, already stored or not. */
export function listArrival(
  works: readonly PlannedRecipeWork[],
  index: Pick<StoreIndex, 'manifest'>,
): Arrival {
  const manifests: ArrivingManifest[] = [];
  const attached: TagPlace[] = [];
  for (const { resolution } of works) {
    const { recipe, ingredients } = resolution;
    if (recipe.outcome === 'failed') continue;
    const { descriptor, config, layer, repository } = recipe;
    manifests.push({ ...descriptor, manifests: [], blobs: [config, layer] });
    for (const signature of listSignatures(recipe)) {
      manifests.push(signature);
      if (index.manifest(signature.digest) === undefined)
        attached.push({ repository, digest: signature.digest, held: false });
    }
    for (const { graph } of ingredients) manifests.push(...(graph?.manifests ?? []));
  }
  return { manifests, attached };
}
