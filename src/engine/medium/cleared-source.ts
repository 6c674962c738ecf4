import { Readable } from 'node:stream';
import type { Digest } from '../../base/digest.ts';
import { parseDigest } from '../../base/digest.ts';
import type { FileIdentity } from '../../disk/threads/hash-file.ts';
import { blobPath } from '../../oci/layout.ts';
import type { Prober, ReferrersLister, Resolver, SignedSource } from '../../oci/ports.ts';
import { svcError } from '../../text/error.ts';
import type { ClearedRecipe } from './judge-recipe.ts';
import { readMediumManifestBlob } from './medium-source.ts';
import type { AwayContent } from './parts/away-content.ts';
import { type HashedFiles, keptBytesOf, openSizedFile } from './read-file.ts';

/**
 * Opens the content that may leave a medium: only files that cleared recipes reach. Content is found by its digest. The
 * index of the medium is used only to find signatures, so that an altered index hides nothing that a recipe pins.
 *
 * @param root real path of the medium
 * @param names a repository of the medium
 * @param away blobs that are not whole on the medium
 * @param outcome the bytes of a file that are kept in memory. Default: files are read again to be sent
 */
export function openClearedSource(
  root: string,
  cleared: readonly ClearedRecipe[],
  names: Resolver & ReferrersLister,
  away?: Pick<AwayContent, 'has' | 'open'>,
  outcome: HashedFiles['outcome'] = () => undefined,
): SignedSource & Prober {
  const files = { root, outcome };
  const find = (digest: Digest): FileIdentity | undefined =>
    cleared.find(({ files }) => files.has(digest))?.files.get(digest);
  const isCleared = (digest: Digest): boolean => find(digest) !== undefined;
  const resolve: Resolver['resolve'] = async (reference, options) => {
    const digest = parseDigest(reference);
    if (digest === undefined) {
      const found = await names.resolve(reference, options);
      return found && isCleared(found.digest) ? found : undefined;
    }
    return isCleared(digest) ? (await readMediumManifestBlob(files, digest)).descriptor : undefined;
  };
  return {
    resolve,
    fetchManifest: async (reference, options) => {
      const digest = parseDigest(reference) ?? (await names.resolve(reference, options))?.digest;
      return digest && isCleared(digest) ? readMediumManifestBlob(files, digest) : undefined;
    },
    fetchBlob: async (blob, { signal } = {}) => {
      const { digest } = blob;
      const file = find(digest);
      const kept = file && keptBytesOf(files, digest);
      if (kept !== undefined) return Readable.from([kept]);
      if (file !== undefined) return openSizedFile(root, blobPath(digest), file.size, signal);
      if (away?.has(digest)) return away.open(blob, { signal });
      throw svcError('SVC-REG-005', { reference: digest });
    },
    listReferrers: async (subject, artifactType, options) => {
      const found = await names.listReferrers(subject, artifactType, options);
      return found.filter(({ digest }) => isCleared(digest));
    },
    hasBlob: async ({ digest }) => isCleared(digest) || away?.has(digest) === true,
    hasManifest: async (digest) => isCleared(digest),
  };
}
