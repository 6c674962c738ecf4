import { Readable } from 'node:stream';
import { type Digest, parseDigest } from '../../base/digest.ts';
import { svcError } from '../../base/error.ts';
import { blobPath } from '../../oci/layout.ts';
import { ManifestError, manifestLimits, parseManifest } from '../../oci/manifest.ts';
import type {
  ManifestContent,
  Prober,
  ReferrersLister,
  Resolver,
  SignedSource,
  Source,
} from '../../oci/ports.ts';
import { checkBlob, type MediumFiles, type ReachedFiles } from './judge-file.ts';
import { type HashedFiles, readMediumBlob } from './read-file.ts';

/** The manifest with this digest. @throws SVC-MED-012, SVC-MED-014 also when it is none */
export async function readMediumManifestBlob(files: HashedFiles, digest: Digest): Promise<ManifestContent> {
  const bytes = await readMediumBlob(files, digest, manifestLimits.bytes);
  try {
    const { mediaType } = parseManifest(bytes);
    return { descriptor: { mediaType, digest, size: bytes.length }, bytes };
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    throw svcError('SVC-MED-014', { path: blobPath(digest), detail: error.message }, { cause: error });
  }
}

/**
 * The content of a medium by digest, from files that have been hashed and are right; whatever is read is needed, and
 * goes into `reached`. Blobs come whole into memory: at most 4 MiB.
 *
 * @throws SVC-MED-010 … SVC-MED-014, from every member
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
    // what is listed and lost is a finding, not an absence
    hasManifest: async (digest) => files.listed(blobPath(digest)) !== undefined,
    fetchManifest,
    fetchBlob: async ({ digest, size }) => {
      checkBlob(files, digest, size, reached);
      return Readable.from([await readMediumBlob(files, digest, manifestLimits.bytes)]);
    },
  };
}

/**
 * The signatures of a medium: where to look is what its unsigned index says, the bytes are those of files that have
 * been hashed and are right.
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
