import { digestAlgorithm, hashBytes } from '../../base/digest.ts';
import type { ManifestContent } from '../../oci/ports.ts';
import type { RemoteRepository } from '../../remote/model.ts';

/**
 * The repository as the crossing of one manifest sees it. Registries name by sha256 what they get under a tag: a tag that
 * leads to the bytes of this manifest leads to the manifest, whatever the algorithm of its pin.
 */
export function asPinned(
  target: RemoteRepository,
  { descriptor: { digest }, bytes }: ManifestContent,
): RemoteRepository {
  return {
    ...target,
    async resolve(reference, options) {
      const found = await target.resolve(reference, options);
      if (!found || digestAlgorithm(found.digest) === digestAlgorithm(digest)) return found;
      return hashBytes(bytes, digestAlgorithm(found.digest)) === found.digest ? { ...found, digest } : found;
    },
  };
}
