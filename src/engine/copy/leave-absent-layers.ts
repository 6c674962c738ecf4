import type { Digest } from '../../base/digest.ts';
import { isNonDistributable } from '../../oci/media-types.ts';
import type { CallOptions, Prober } from '../../oci/ports.ts';
import type { Store } from '../../store/model.ts';
import type { ManifestGraph } from './read-graph.ts';

/**
 * A graph without the layers that need not be distributed and that the registry does not have. The registry is asked
 * only about the layers of images that the store does not know. An image stored without a layer stays so.
 *
 * @throws errors of the registry request: a registry that does not answer does not prove that a layer is
 *   absent
 */
export async function leaveAbsentLayers(
  graph: ManifestGraph,
  store: Store | undefined,
  remote: Pick<Prober, 'hasBlob'>,
  call: CallOptions,
): Promise<ManifestGraph> {
  const absent = new Set<Digest>();
  for (const { digest: image, blobs } of graph.manifests) {
    const known = store?.index.manifest(image);
    for (const blob of blobs) {
      if (!isNonDistributable(blob.mediaType) || absent.has(blob.digest)) continue;
      if (store?.index.sizeOf(blob.digest) === blob.size) continue;
      const came = known?.blobs.some(({ digest }) => digest === blob.digest);
      const isHad = known === undefined ? await remote.hasBlob(blob, call) : came;
      if (!isHad) absent.add(blob.digest);
    }
  }
  if (absent.size === 0) return graph;
  const isCarried = ({ digest }: { readonly digest: Digest }) => !absent.has(digest);
  return {
    ...graph,
    manifests: graph.manifests.map((one) => ({ ...one, blobs: one.blobs.filter(isCarried) })),
    blobs: graph.blobs.filter(isCarried),
    absentLayers: [...absent],
  };
}
