import type { Serial } from '../../base/concurrency.ts';
import { type Digest, isDigest } from '../../base/digest.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import { parseManifestInTurns } from '../../oci/parse-in-turns.ts';
import type { ListOptions, ManifestContent, ManifestPushOptions } from '../../oci/ports.ts';
import { fallbackTag } from '../../oci/reference.ts';
import { toReferrer } from '../../oci/referrer.ts';
import type { RangeRequest, Referrers, RegistryOptions, RemoteRepository } from '../model.ts';
import { announcedSize, hasBlob, lacksBlob, openBlob, streamBlob, toResumption } from './blobs.ts';
import { hasReferrersApi, readFallback, readReferrers, selectByType } from './list-referrers.ts';
import { listTags } from './list-tags.ts';
import { deleteManifest, fetchManifest, hasManifest, resolveManifest } from './manifests.ts';
import { mountBlob, pushBlob } from './push-blob.ts';
import { putManifest } from './put-manifest.ts';
import { putReferrerFallback } from './put-referrers.ts';
import { logSubstitution, type RepositoryScope, toName, toNotFound, withHint } from './scope.ts';

/** State shared by the repositories of one registry. */
export interface SharedState {
  /** Serializes the writes of fallback indexes. */
  readonly merging: Serial;
  /** Repositories without the referrers API, and when this was found, by `performance.now()`. */
  readonly withoutReferrers: Map<string, number>;
  /** Faults of lists that the log has. */
  readonly told: Set<string>;
}

/** Most faults that are remembered. */
const toldLimit = 1000;

/** Milliseconds for which this is remembered: the registry may be upgraded. */
const rememberedMs = 24 * 3_600_000;

/** Opens one repository of a remote registry. */
export function createRepository(
  scope: RepositoryScope,
  { merging, withoutReferrers, told }: SharedState,
  options: RegistryOptions,
): RemoteRepository {
  const { report } = scope;
  const name = scope.effective.repository;
  const { spool } = options;

  const toBlobSource = (blob: Descriptor) => ({
    open: (range: RangeRequest) => openBlob(scope, blob, range),
    mayResume: toResumption({
      retries: options.retries,
      retryDelay: options.retryDelay,
      clock: options.transport.clock,
      waits: options.transport.waits,
      limiter: scope.client.limiter,
      onRetry: (error) =>
        report.log('warn', 'a transfer was interrupted; resuming', {
          source: toName(scope),
          effective: scope.effective.host,
          digest: blob.digest,
          error,
        }),
    }),
  });

  /** Logs each fault of a list once. */
  const telling = (call: ListOptions = {}): ListOptions => ({
    ...call,
    onFault:
      call.onFault &&
      ((fault) => {
        call.onFault?.(fault);
        const { params, detail } = fault.error;
        const key = JSON.stringify([params, detail]);
        if (told.has(key) || told.size >= toldLimit) return;
        told.add(key);
        report.log('warn', 'A list of referrers cannot be used as a whole; the rest of it is used', {
          source: toName(scope),
          effective: scope.effective.host,
          error: fault.error,
        });
      }),
  });

  const list = async (subject: Digest, call?: ListOptions): Promise<Referrers> => {
    const found = await readReferrers(scope, subject, telling(call));
    if (found.origin === 'api') withoutReferrers.delete(name);
    else withoutReferrers.set(name, performance.now());
    return found;
  };

  const merge: RemoteRepository['putReferrerFallback'] = (subject, referrers, call) =>
    putReferrerFallback(scope, subject, referrers, merging, call);

  const spoolBlob: RemoteRepository['spoolBlob'] = async (blob, call) => {
    if (spool === undefined || !spool.accepts(blob.size)) return undefined;
    logSubstitution(scope, blob.digest);
    const { open, mayResume } = toBlobSource(blob);
    return spool.fetch(blob, open, {
      reference: toName(scope, blob.digest),
      mayResume,
      signal: call?.signal,
      onBytes: call?.onBytes,
    });
  };

  return {
    nominal: scope.nominal,
    effective: scope.effective,
    substituted: scope.substituted,
    toNotFound: (reference) => toNotFound(scope, reference),

    resolve: (reference, call) => withHint(scope, reference, () => resolveManifest(scope, reference, call)),
    fetchManifest: (reference, call) =>
      withHint(scope, reference, () => fetchManifest(scope, reference, call)),
    hasManifest: (digest, call) => hasManifest(scope, digest, call),

    fetchBlob(blob, call) {
      logSubstitution(scope, blob.digest);
      const { open, mayResume } = toBlobSource(blob);
      return streamBlob(blob, toName(scope, blob.digest), open, mayResume, call);
    },
    lacksBlob: (blob, call) => lacksBlob(scope, blob, call),
    announcedSize: (digest, call) => announcedSize(scope, digest, call),
    spoolBlob,
    hasBlob: (blob, call) => hasBlob(scope, blob, call),
    pushBlob: (blob, from, call) => pushBlob(scope, blob, from, call),
    mountBlob: (blob, from, call) => mountBlob(scope, blob, from, call),

    async pushManifest(reference: string, manifest: ManifestContent, call?: ManifestPushOptions) {
      const parsed = await parseManifestInTurns(manifest.bytes, manifest.descriptor.mediaType);
      const noted = await putManifest(scope, reference, manifest, call);
      if (parsed.subject === undefined || (isDigest(noted) && noted === parsed.subject.digest)) return;
      const entry = toReferrer(manifest, parsed);
      if (call?.onUnlisted) call.onUnlisted(entry);
      else await merge(parsed.subject.digest, [entry], call);
    },

    listTags: (call) => withHint(scope, undefined, () => listTags(scope, call)),

    async listReferrers(subject, artifactType, call) {
      return selectByType((await list(subject, call)).manifests, artifactType);
    },
    readReferrers: list,
    async relistReferrers(subject, call) {
      const since = withoutReferrers.get(name);
      const isSpared = since !== undefined && performance.now() - since < rememberedMs;
      if (!isSpared) return (await list(subject, call)).manifests;
      if (call?.listed?.has(fallbackTag(subject)) === false) return [];
      return (await readFallback(scope, subject, telling(call))).manifests;
    },
    hasReferrersApi: (subject, call) => hasReferrersApi(scope, subject, call),
    putReferrerFallback: merge,

    deleteManifest: (digest, call) => deleteManifest(scope, digest, call),
    deleteTag: (tag, call) => deleteManifest(scope, tag, call),
  };
}
