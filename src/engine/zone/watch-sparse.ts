import type { Digest } from '../../base/digest.ts';
import type { Receipt } from '../../contract/receipt.ts';
import type { CallOptions } from '../../oci/ports.ts';
import type { RemoteRepository } from '../../remote/model.ts';
import type { ManifestGraph } from '../copy/read-graph.ts';

export type Sparse = Receipt['destination']['sparse'];

/** Indexes that are asked about. */
const most = 64;

/** Learns from the content of a registry whether it takes an index without all of its images. */
export interface SparseWatch {
  /** Notes a graph that the registry has. */
  add(repository: RemoteRepository, graph: ManifestGraph): void;
  /** Asks for images that no recipe needs: where they are absent, the registry took their index without them. */
  judge(call: CallOptions): Promise<Sparse>;
}

export function openSparseWatch(): SparseWatch {
  /** Manifests that recipes need, by repository. */
  const needed = new Map<string, Set<Digest>>();
  const sparse: { readonly repository: RemoteRepository; readonly children: readonly Digest[] }[] = [];
  return {
    add(repository, { manifests, isSparse }) {
      const { repository: path } = repository.effective;
      const known = needed.get(path) ?? new Set<Digest>();
      needed.set(path, known);
      for (const { digest } of manifests) known.add(digest);
      if (!isSparse || sparse.length >= most) return;
      sparse.push({ repository, children: manifests.flatMap((manifest) => manifest.manifests) });
    },
    async judge(call) {
      let isRefused = false;
      for (const { repository, children } of sparse) {
        const known = needed.get(repository.effective.repository)!;
        const other = children.find((child) => !known.has(child));
        if (other === undefined) continue;
        if (!(await repository.hasManifest(other, call))) return 'accepted';
        isRefused = true;
      }
      return isRefused ? 'refused' : 'unknown';
    },
  };
}
