import { isSvcError, svcError } from '../../base/error.ts';
import { blobPath } from '../../oci/layout.ts';
import { isNonDistributable } from '../../oci/media-types.ts';
import type { CallOptions } from '../../oci/ports.ts';
import { formatReference } from '../../oci/reference.ts';
import type { CookedRecipe } from '../../recipe/model.ts';
import { type ContentGraph, readGraph } from '../read-graph.ts';
import { checkBlob, type MediumFiles, type ReachedFiles } from './judge-file.ts';
import { openFileSource } from './medium-source.ts';

/**
 * Walks every ingredient of a verified recipe from its pinned digest through the manifests' own bytes, and checks every
 * file that it needs. Layers that need not be distributed may be absent.
 *
 * @throws at the first that fails: SVC-MED-010 … SVC-MED-014; SVC-REG-008 when a platform that the recipe demands is not
 *   offered; SVC-SIG-003 when an artifact is not of the type that the recipe demands
 */
export async function checkIngredients(
  files: MediumFiles,
  recipe: CookedRecipe,
  reached: ReachedFiles,
  options: CallOptions = {},
): Promise<void> {
  const source = openFileSource(files, reached);
  for (const { ref, version, digest, platforms, artifactType } of recipe.ingredients) {
    options.signal?.throwIfAborted();
    const reference = `${formatReference(ref)}:${version}`;
    let graph: ContentGraph;
    try {
      graph = await readGraph(source, digest, { ...options, reference, platforms, artifactType });
    } catch (error) {
      // nested too deep, or too many: whoever signed the recipe did not look
      if (!isSvcError(error, 'SVC-REG-007')) throw error;
      const detail = String(error.params.detail);
      throw svcError('SVC-MED-014', { path: blobPath(digest), detail }, { cause: error });
    }
    for (const manifest of graph.manifests) checkBlob(files, manifest.digest, manifest.size, reached);
    for (const blob of graph.blobs) {
      const path = blobPath(blob.digest);
      const isAbsent = !files.has(path) && !files.listed(path);
      if (!(isAbsent && isNonDistributable(blob.mediaType)))
        checkBlob(files, blob.digest, blob.size, reached);
    }
  }
}
