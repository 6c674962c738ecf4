import type { Digest } from '../base/digest.ts';
import { Pacer } from '../base/pacer.ts';
import type { SignatureOfTag } from '../contract/content.ts';
import { readWhole } from '../disk/plain-file.ts';
import { ManifestError } from '../oci/manifest.ts';
import { isBundleType, isIndexType } from '../oci/media-types.ts';
import { parseManifestInTurns } from '../oci/parse-in-turns.ts';
import { fallbackTag, signatureTag } from '../oci/reference.ts';
import type { Store } from '../store/model.ts';
import { openBlob } from '../store/open-blob.ts';
import { readStoredManifest } from '../store/read-stored-manifest.ts';
import { attestedType, isApprovedType } from '../trust/judge.ts';
import type { SignatureEvidence, TrustRoot } from '../trust/model.ts';

/** Maximum size of a bundle that is read for its statement, in bytes. */
const largestBundle = 4 << 20;
/** Maximum number of remembered statements per store. */
const maxKnown = 10_000;
const known = new WeakMap<Store, Map<Digest, string | undefined>>();

/** Reads one bundle. @returns undefined when it is not valid evidence */
async function readEvidence(store: Store, digest: Digest): Promise<SignatureEvidence | undefined> {
  const content = await readStoredManifest(store, digest);
  if (content === undefined) return undefined;
  try {
    const manifest = await parseManifestInTurns(content.bytes, content.descriptor.mediaType);
    const [layer] = manifest.kind === 'image' ? manifest.layers : [];
    const size = layer && store.index.sizeOf(layer.digest);
    if (layer === undefined || size === undefined || size > largestBundle) return undefined;
    const { file } = await openBlob(store, layer.digest);
    try {
      const bytes = await readWhole(file, size);
      const { mediaType, annotations = {} } = layer;
      return { layout: 'bundle', manifest: content, layers: [{ mediaType, annotations, bytes }] };
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof ManifestError) return undefined;
    throw error;
  }
}

/**
 * Returns the predicate type of an attestation; undefined for a signature. The result is remembered by
 * digest.
 */
async function typeOf(store: Store, digest: Digest, subject: Digest): Promise<string | undefined> {
  const types = known.get(store) ?? new Map<Digest, string | undefined>();
  known.set(store, types);
  if (types.has(digest)) return types.get(digest);
  // damage is reported by other checks; the bundle is listed by its media type
  const evidence = await readEvidence(store, digest).catch(() => undefined);
  if (evidence === undefined) return undefined;
  const type = attestedType(evidence, subject);
  if (types.size >= maxKnown) types.clear();
  types.set(digest, type);
  return type;
}

/** Lists the bundles among the referrers, in the order of their digests. */
async function listBundles(store: Store, repository: string, subject: Digest): Promise<readonly Digest[]> {
  const pacer = new Pacer();
  const bundles: Digest[] = [];
  for (const { digest, artifactType } of store.index.eachReferrer(repository, subject)) {
    if (pacer.isDue()) await pacer.rest();
    if (isBundleType(artifactType)) bundles.push(digest);
  }
  return bundles.sort();
}

/**
 * Lists the signatures of a manifest in both layouts. An attestation in the layout of a signature is not one,
 * unless a trust root lists its predicate type.
 */
export async function selectSignatures(
  store: Store,
  repository: string,
  subject: Digest,
  roots: readonly TrustRoot[],
): Promise<readonly SignatureOfTag[]> {
  const found: SignatureOfTag[] = [];
  const name = signatureTag(subject);
  const classic = name === undefined ? undefined : store.index.tag(repository, name);
  if (classic !== undefined) found.push({ layout: 'classic', digest: classic.digest });
  const bundles = await listBundles(store, repository, subject);
  for (const digest of bundles) {
    const type = await typeOf(store, digest, subject);
    if (type === undefined || isApprovedType(type, roots)) found.push({ layout: 'bundle', digest });
  }
  return found;
}

/**
 * Whether a version has a signature, or a fallback index that lists referrers the store lacks. Other content under the
 * fallback tag is a tag that somebody chose.
 */
export async function isSigned(
  store: Store,
  repository: string,
  subject: Digest,
  roots: readonly TrustRoot[],
): Promise<boolean> {
  if ((await selectSignatures(store, repository, subject, roots)).length > 0) return true;
  const fallback = store.index.tag(repository, fallbackTag(subject))?.digest;
  if (fallback === undefined || fallback === subject) return false;
  if (!isIndexType(store.index.manifest(fallback)?.mediaType)) return false;
  return (await listBundles(store, repository, subject)).length === 0;
}
