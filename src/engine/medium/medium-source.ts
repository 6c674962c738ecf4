import { Readable } from 'node:stream';
import { type Digest, parseDigest } from '../../base/digest.ts';
import { blobPath } from '../../oci/layout.ts';
import { ManifestError, manifestLimits } from '../../oci/manifest.ts';
import { parseManifestInTurns } from '../../oci/parse-in-turns.ts';
import type {
  ManifestContent,
  Prober,
  ReferrersLister,
  Resolver,
  SignedSource,
  Source,
} from '../../oci/ports.ts';
import { svcError } from '../../text/error.ts';
import { checkBlob, type MediumFiles, type ReachedFiles } from './judge-file.ts';
import { type HashedFiles, readMediumBlob } from './read-file.ts';

/** Reads the manifest with this digest. @throws SVC-MED-012, SVC-MED-014 also when it is not a manifest */
export async function readMediumManifestBlob(files: HashedFiles, digest: Digest): Promise<ManifestContent> {
  const bytes = await readMediumBlob(files, digest, manifestLimits.bytes);
  try {
    const { mediaType } = await parseManifestInTurns(bytes);
    return { descriptor: { mediaType, digest, size: bytes.length }, bytes };
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    throw svcError('SVC-MED-014', { path: blobPath(digest), detail: error.rule }, { cause: error });
  }
}

/**
 * Opens the content of a medium by digest, from hashed files without problems. All files read are added to
 * `reached`. Blobs are read into memory, at most 4 MiB each.
 *
 * @throws SVC-MED-010 to SVC-MED-014, from every method
 */
export function openFileSource(
  files: MediumFiles,
  reached: ReachedFiles,
): Source & Pick<Prober, 'hasManifest'> {
  const fetchManifest = async (reference: string): Promise<ManifestContent | undefined> => {
    const digest = parseDigest(reference);
    if (digest === undefined) return undefined;
    checkBlob(files, digest, undefined, reached);
    return readMediumManifestBlob(files, digest);
  };
  return {
    resolve: async (reference) => (await fetchManifest(reference))?.descriptor,
    // a listed file that is missing is an error, not an absent platform
    hasManifest: async (digest) => files.listed(blobPath(digest)) !== undefined,
    fetchManifest,
    fetchBlob: async ({ digest, size }) => {
      checkBlob(files, digest, size, reached);
      return Readable.from([await readMediumBlob(files, digest, manifestLimits.bytes)]);
    },
  };
}

/**
 * Opens the signatures of a medium. Their names come from its unsigned index, their bytes from hashed files
 * without problems.
 *
 * @param names a repository of the medium
 */
export function openSignatureSource(
  files: MediumFiles,
  names: Resolver & ReferrersLister,
  reached: ReachedFiles,
): SignedSource {
  const source = openFileSource(files, reached);
  return {
    ...source,
    resolve: (reference, options) => names.resolve(reference, options),
    fetchManifest: async (reference, options) => {
      const found = await names.resolve(reference, options);
      return found && source.fetchManifest(found.digest, options);
    },
    listReferrers: (subject, artifactType, options) => names.listReferrers(subject, artifactType, options),
  };
}
