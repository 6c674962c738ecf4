import type { Serial } from '../../base/concurrency.ts';
import { type Digest, hashBytes } from '../../base/digest.ts';
import { isSvcError, svcError } from '../../base/error.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import { ManifestError, manifestLimits, parseManifest } from '../../oci/manifest.ts';
import { mediaTypes } from '../../oci/media-types.ts';
import type { CallOptions, ManifestContent } from '../../oci/ports.ts';
import { fallbackTag } from '../../oci/reference.ts';
import type { Referrers } from '../model.ts';
import { drainBody, dropBody, readBody } from '../transport/read-body.ts';
import { writeUntilKept } from '../write-until-kept.ts';
import type { ClientRequest } from './client.ts';
import { listLimits, toNextPage } from './list-tags.ts';
import { fetchManifest } from './manifests.ts';
import { putManifest } from './put-manifest.ts';
import { logSubstitution, type RepositoryScope, toName, toPath } from './scope.ts';

function parseIndex(bytes: Buffer, reference: string): readonly Descriptor[] {
  try {
    const index = parseManifest(bytes, mediaTypes.ociIndex);
    if (index.kind === 'index') return index.manifests;
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    throw svcError('SVC-REG-007', {
      reference,
      detail: `the referrers are not an image index: ${error.message}`,
    });
  }
  throw svcError('SVC-REG-007', { reference, detail: 'the referrers are not an image index' });
}

/** Referrers from the API; undefined where the registry does not support it. */
async function askApi(
  scope: RepositoryScope,
  subject: Digest,
  options?: CallOptions,
): Promise<readonly Descriptor[] | undefined> {
  const { client } = scope;
  const reference = `${toName(scope, subject)} (referrers)`;
  const found = new Map<Digest, Descriptor>();
  let to: ClientRequest['to'] = toPath(scope, `referrers/${subject}`);
  let bytesLeft: number = listLimits.bytes;
  for (let page = 0; page < listLimits.pages; page += 1) {
    const request: ClientRequest = {
      method: 'GET',
      to,
      scope: scope.pull,
      headers: { accept: mediaTypes.ociIndex },
      reference,
      signal: options?.signal,
    };
    const left = Math.min(bytesLeft, manifestLimits.bytes);
    const answer = await client.repeat(async () => {
      const response = await client.sendOnce(request);
      const isIndex = response.headers['content-type']?.split(';')[0]?.trim() === mediaTypes.ociIndex;
      // a registry without this path answers 404, another refusal, or an HTML page
      const isUnknown = [400, 404, 405, 501].includes(response.status);
      if (isUnknown || (response.status === 200 && !isIndex)) {
        if (isUnknown) await drainBody(response);
        else dropBody(response);
        return undefined;
      }
      if (response.status !== 200) throw await client.toUnexpected(request, response);
      const bytes = await readBody(response, left, reference, options?.signal);
      return {
        manifests: parseIndex(bytes, reference),
        size: bytes.length,
        next: toNextPage(response, client.base),
      };
    }, options?.signal);
    if (answer === undefined) return page === 0 ? undefined : [...found.values()];
    bytesLeft -= answer.size;
    const before = found.size;
    for (const one of answer.manifests) found.set(one.digest, one);
    if (found.size > manifestLimits.children)
      throw svcError('SVC-VAL-002', { limit: `${manifestLimits.children} referrers`, file: reference });
    if (answer.next === undefined) return [...found.values()];
    if (found.size === before)
      throw svcError('SVC-REG-007', { reference, detail: 'a page of referrers has no new entries' });
    to = { url: answer.next, kind: 'next page' };
  }
  throw svcError('SVC-VAL-002', { limit: `${listLimits.pages} pages`, file: reference });
}

/** Whether the registry supports the referrers API for this subject. @throws errors of the client */
export async function hasReferrersApi(
  scope: RepositoryScope,
  subject: Digest,
  options?: CallOptions,
): Promise<boolean> {
  return (await askApi(scope, subject, options)) !== undefined;
}

/** Reads the manifests with this subject: from the API, else from the fallback tag. */
export async function readReferrers(
  scope: RepositoryScope,
  subject: Digest,
  options?: CallOptions,
): Promise<Referrers> {
  logSubstitution(scope, subject);
  const manifests = await askApi(scope, subject, options);
  if (manifests !== undefined) return { origin: 'api', manifests };
  return readFallback(scope, subject, options);
}

/** Reads the referrers under the fallback tag, also where the API is supported. */
export async function readFallback(
  scope: RepositoryScope,
  subject: Digest,
  options?: CallOptions,
): Promise<Referrers> {
  const tag = fallbackTag(subject);
  const index = await fetchManifest(scope, tag, options);
  if (index === undefined) return { origin: 'fallback-tag', manifests: [] };
  return { origin: 'fallback-tag', manifests: parseIndex(index.bytes, toName(scope, tag)), index };
}

/** Filters descriptors by `artifactType`, whether or not the registry has applied this filter. */
export function selectByType(
  manifests: readonly Descriptor[],
  artifactType: string | undefined,
): readonly Descriptor[] {
  return artifactType === undefined
    ? manifests
    : manifests.filter((one) => one.artifactType === artifactType);
}

/**
 * Reads the fallback index to be extended, at most 4 MiB.
 *
 * @throws SVC-DST-005 for one that is larger or that is not an index
 */
async function readForMerge(
  scope: RepositoryScope,
  tag: string,
  options?: CallOptions,
): Promise<ManifestContent | undefined> {
  const reference = toName(scope, tag);
  try {
    const held = await fetchManifest(scope, tag, options);
    if (held && parseManifest(held.bytes, mediaTypes.ociIndex).kind !== 'index')
      throw svcError('SVC-DST-005', { reference });
    return held;
  } catch (error) {
    if (isSvcError(error, 'SVC-VAL-002'))
      throw svcError('SVC-DST-005', { reference, limit: manifestLimits.bytes });
    if (error instanceof ManifestError)
      throw svcError('SVC-DST-005', { reference }, { detail: error.message });
    throw error;
  }
}

/**
 * The fallback index with referrers added; undefined when it contains all. Its other members are kept.
 *
 * @throws SVC-DST-005 when it has no room for them
 */
function toMerged(
  held: ManifestContent | undefined,
  referrers: readonly Descriptor[],
  reference: string,
): ManifestContent | undefined {
  const present = held === undefined ? [] : parseIndex(held.bytes, reference);
  const digests = new Set(present.map(({ digest }) => digest));
  const added = referrers.filter(({ digest }) => !digests.has(digest));
  if (added.length === 0) return undefined;
  const document: Record<string, unknown> =
    held === undefined
      ? { schemaVersion: 2, mediaType: mediaTypes.ociIndex, manifests: [] }
      : (JSON.parse(held.bytes.toString('utf8')) as Record<string, unknown>);
  if (present.length + added.length > manifestLimits.children) throw svcError('SVC-DST-005', { reference });
  document.manifests = [...((document.manifests as unknown[] | undefined) ?? []), ...added];
  const bytes = Buffer.from(JSON.stringify(document));
  if (bytes.length > manifestLimits.bytes)
    throw svcError('SVC-DST-005', { reference, limit: manifestLimits.bytes });
  return {
    descriptor: { mediaType: mediaTypes.ociIndex, digest: hashBytes(bytes), size: bytes.length },
    bytes,
  };
}

/**
 * Adds referrers to the fallback index (distribution specification, Referrers Tag Schema). There is no
 * conditional write: the index is read again after each write, at once and later, until it contains all.
 *
 * @param merging serializes the writes of this process
 * @throws SVC-REG-007 when other clients overwrite it repeatedly, SVC-DST-005 when it has no room, errors of the client
 */
export async function putReferrerFallback(
  scope: RepositoryScope,
  subject: Digest,
  referrers: readonly Descriptor[],
  merging: Serial,
  options?: CallOptions,
): Promise<void> {
  const tag = fallbackTag(subject);
  const reference = toName(scope, tag);
  const merge = async (): Promise<boolean> => {
    const merged = toMerged(await readForMerge(scope, tag, options), referrers, reference);
    if (merged !== undefined) await putManifest(scope, tag, merged, options);
    return merged !== undefined;
  };
  if (!(await writeUntilKept(() => merging.run(merge), options?.signal)))
    throw svcError('SVC-REG-007', {
      reference,
      detail: 'another client keeps overwriting the referrers index',
    });
}
