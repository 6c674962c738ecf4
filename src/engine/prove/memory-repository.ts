import { Readable } from 'node:stream';
import { type Digest, digestAlgorithm, hashBytes, isDigest } from '../../base/digest.ts';
import { verifiedChunks } from '../../base/stream/verified.ts';
import { lentChunks } from '../../disk/file-stream.ts';
import { readListEntries } from '../../oci/list-entries.ts';
import type { Manifest } from '../../oci/manifest.ts';
import { isNonDistributable } from '../../oci/media-types.ts';
import { parseManifestInTurns } from '../../oci/parse-in-turns.ts';
import type { ListOptions, ManifestContent } from '../../oci/ports.ts';
import { fallbackTag, formatReference, type RepositoryReference } from '../../oci/reference.ts';
import { toReferrer } from '../../oci/referrer.ts';
import type { Referrers, RemoteRepository } from '../../remote/model.ts';
import { selectByType } from '../../remote/registry/list-referrers.ts';
import { toMergedReferrers } from '../../remote/registry/put-referrers.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import type { HeldRepository, SharedContent } from './memory-registry.ts';

interface Holding {
  readonly shared: SharedContent;
  /** The content of this repository; undefined until something was pushed. */
  held(): HeldRepository | undefined;
  /** The content of this repository, which exists from now on. */
  hold(): HeldRepository;
  /** Lists this repository from now on: it has a manifest. */
  list(): void;
  /** The content of another repository of the registry. */
  other(repository: string): HeldRepository | undefined;
}

/** Opens one repository of a registry in memory. */
export function createMemoryRepository(own: RepositoryReference, holding: Holding): RemoteRepository {
  const { shared, held, hold } = holding;
  const name = (reference?: string): string => {
    if (reference === undefined) return formatReference(own);
    return formatReference({ ...own, ...(isDigest(reference) ? { digest: reference } : { tag: reference }) });
  };
  const toNotFound = (reference?: string) => svcError('SVC-REG-005', { reference: name(reference) });
  const find = (reference: string): ManifestContent | undefined => {
    const digest = isDigest(reference) ? reference : held()?.tags.get(reference);
    return digest === undefined ? undefined : held()?.manifests.get(digest);
  };

  const readReferrers = async (subject: Digest, options: ListOptions = {}): Promise<Referrers> => {
    const index = find(fallbackTag(subject));
    if (index === undefined) return { origin: 'fallback-tag', manifests: [] };
    const { manifests } = readListEntries(index.bytes, options.accepts);
    return { origin: 'fallback-tag', manifests, index };
  };

  const put = (reference: string, manifest: ManifestContent): void => {
    const { bytes, descriptor } = manifest;
    // registries name tagged content by sha256
    const digest = isDigest(reference) ? reference : hashBytes(bytes);
    const actual = hashBytes(bytes, digestAlgorithm(digest));
    if (actual !== digest)
      throw svcError('SVC-DST-004', {
        reference: name(reference),
        mediaType: descriptor.mediaType,
        detail: rule(['its digest is {actual}', fr`son empreinte est {actual}`], { actual }),
      });
    const { manifests, tags } = hold();
    manifests.set(digest, { descriptor: { ...descriptor, digest, size: bytes.length }, bytes });
    holding.list();
    shared.count(digest, bytes.length);
    if (!isDigest(reference)) tags.set(reference, digest);
  };

  /** Refuses a manifest of which content is absent, as registries do. @throws SVC-DST-002, SVC-REG-007 */
  const requireBelow = (reference: string, manifest: Manifest): void => {
    if (manifest.kind === 'index') {
      const missing = manifest.manifests.filter(({ digest }) => !held()?.manifests.has(digest));
      if (missing.length === 0 || shared.takes('sparse', name(reference))) return;
      const digests = missing.map(({ digest }) => digest);
      throw svcError('SVC-DST-002', { reference: name(reference), missing: digests });
    }
    const absent = [manifest.config, ...manifest.layers].find(
      ({ digest, mediaType }) =>
        !held()?.blobs.has(digest) &&
        !(isNonDistributable(mediaType) && shared.takes('foreign-layers', name(reference))),
    );
    if (absent === undefined) return;
    const { digest } = absent;
    throw svcError('SVC-REG-007', {
      reference: name(reference),
      detail: rule(['it lacks the blob {digest}', fr`il lui manque le blob {digest}`], { digest }),
    });
  };

  /** @throws SVC-DST-003 */
  const requireAlgorithm = (digest: Digest): void => {
    if (digestAlgorithm(digest) === 'sha256' || shared.takes('long-digest', name(digest))) return;
    throw svcError('SVC-DST-003', { reference: name(digest), digest });
  };

  const repository: RemoteRepository = {
    nominal: own,
    effective: own,
    substituted: false,
    toNotFound,

    resolve: async (reference) => find(reference)?.descriptor,
    fetchManifest: async (reference) => find(reference),
    hasManifest: async (digest) => held()?.manifests.has(digest) === true,

    hasBlob: async ({ digest, size }) => held()?.blobs.get(digest) === size,
    lacksBlob: async ({ digest, size }) => held()?.blobs.get(digest) !== size,
    announcedSize: async (digest) => held()?.blobs.get(digest),
    fetchBlob: async (blob) => {
      if (shared.files === undefined || !held()?.blobs.has(blob.digest)) throw toNotFound(blob.digest);
      return shared.files.open(blob);
    },
    spoolBlob: async () => undefined,

    async pushBlob(blob, from, options = {}) {
      const { digest, size } = blob;
      const isRead = from instanceof Readable || !(await shared.files?.isUnchanged(blob));
      if (isRead) {
        const stream = from instanceof Readable ? from : await from();
        for await (const chunk of verifiedChunks(lentChunks(stream), {
          digest,
          size,
          reference: name(digest),
        }))
          options.onBytes?.(chunk.length);
      } else options.onBytes?.(size);
      hold().blobs.set(digest, size);
      shared.count(digest, size);
    },
    async mountBlob({ digest, size }, from) {
      if (holding.other(from)?.blobs.get(digest) !== size) return false;
      hold().blobs.set(digest, size);
      return true;
    },

    async pushManifest(reference, manifest, options) {
      const parsed = await parseManifestInTurns(manifest.bytes, manifest.descriptor.mediaType);
      requireBelow(reference, parsed);
      const { digest } = manifest.descriptor;
      requireAlgorithm(digest);
      if (digestAlgorithm(digest) !== 'sha256') put(digest, manifest);
      put(reference, manifest);
      if (parsed.subject === undefined) return;
      const entry = toReferrer(manifest, parsed);
      if (options?.onUnlisted) options.onUnlisted(entry);
      else await repository.putReferrerFallback(parsed.subject.digest, [entry], options);
    },

    listTags: async () => [...(held()?.tags.keys() ?? [])].sort(),
    listReferrers: async (subject, artifactType, options) =>
      selectByType((await readReferrers(subject, options)).manifests, artifactType),
    hasReferrersApi: async () => false,
    readReferrers,
    relistReferrers: async (subject, options) => (await readReferrers(subject, options)).manifests,
    async putReferrerFallback(subject, referrers) {
      const tag = fallbackTag(subject);
      const merged = toMergedReferrers(find(tag), referrers, name(tag));
      if (merged === undefined) return;
      requireBelow(tag, await parseManifestInTurns(merged.bytes, merged.descriptor.mediaType));
      put(tag, merged);
    },

    async deleteManifest(digest) {
      const { manifests, tags } = hold();
      for (const [tag, target] of tags) if (target === digest) tags.delete(tag);
      return manifests.delete(digest);
    },
    deleteTag: async (tag) => hold().tags.delete(tag),
  };
  return repository;
}
