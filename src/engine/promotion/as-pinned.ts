import { digestAlgorithm, hashBytes } from '../../base/digest.ts';
import type { ManifestContent, Resolver } from '../../oci/ports.ts';

/**
 * A view of a repository for pushing one manifest. Registries name what is pushed under a tag by sha256. A
 * tag that resolves to the bytes of this manifest is reported with the digest by which it is pinned, whatever
 * its algorithm.
 */
export function asPinned<T extends Resolver>(
  target: T,
  { descriptor: { digest }, bytes }: ManifestContent,
): T {
  return {
    ...target,
    async resolve(reference, options) {
      const found = await target.resolve(reference, options);
      if (!found || digestAlgorithm(found.digest) === digestAlgorithm(digest)) return found;
      return hashBytes(bytes, digestAlgorithm(found.digest)) === found.digest ? { ...found, digest } : found;
    },
  };
}
