import { digestAlgorithm, isDigest, parseDigest } from '../../base/digest.ts';
import { svcError } from '../../base/error.ts';
import { isIndexType } from '../../oci/media-types.ts';
import type { CallOptions, ManifestContent } from '../../oci/ports.ts';
import { drainBody } from '../transport/read-body.ts';
import type { ClientRequest } from './client.ts';
import { hasManifest } from './manifests.ts';
import { type RepositoryScope, toName, toPath } from './scope.ts';

const absent = new Set(['MANIFEST_BLOB_UNKNOWN', 'BLOB_UNKNOWN', 'MANIFEST_UNKNOWN', 'MANIFEST_INVALID']);

function toMissing(errors: readonly { readonly detail: unknown }[]): string[] {
  return errors.flatMap(({ detail }) => {
    if (isDigest(detail)) return [detail];
    if (typeof detail !== 'object' || detail === null) return [];
    return Object.values(detail).filter(isDigest);
  });
}

/** Whether the media type sends a manifest to a place that has its children. */
function isIndex(manifest: ManifestContent): boolean {
  return isIndexType(manifest.descriptor.mediaType);
}

/** What a registry said of a manifest that it took. */
interface Taken {
  /** The subject that it has taken note of. */
  readonly subject?: string | undefined;
  /** Tags that it set by the way. */
  readonly tags: readonly string[];
}

/** Statuses by which registries refuse a digest whose algorithm they do not know. */
const unsupported: ReadonlySet<number> = new Set([400, 404, 405, 422, 501]);
/** Statuses that a repetition does not change. */
const refusals: ReadonlySet<number> = new Set([400, 405, 406, 409, 413, 415, 422, 501]);
const canonical = 'sha256';

/**
 * Sends a manifest, by a tag or by its digest.
 *
 * @param tag to be set with a put by digest; registries that do not know how ignore it
 * @throws SVC-DST-001 for a name it refuses, SVC-DST-002 for an index it refuses for absent children, SVC-DST-003 for
 *   a digest by which it cannot be fetched there, SVC-DST-004 for a manifest that it does not accept
 */
async function putOne(
  scope: RepositoryScope,
  reference: string,
  manifest: ManifestContent,
  options?: CallOptions & { readonly tag?: string },
): Promise<Taken> {
  const { digest } = manifest.descriptor;
  const query = options?.tag === undefined ? '' : `?tag=${options.tag}`;
  const request: ClientRequest = {
    method: 'PUT',
    to: toPath(scope, `manifests/${reference}${query}`),
    scope: scope.push,
    headers: { 'content-type': manifest.descriptor.mediaType },
    body: manifest.bytes,
    reference: toName(scope, reference),
    signal: options?.signal,
  };
  const isUnusual = isDigest(reference) && digestAlgorithm(reference) !== canonical;
  const toRefused = (detail: string) =>
    svcError('SVC-DST-003', { reference: toName(scope, options?.tag), digest }, { detail });
  const response = await scope.client.send(request);
  if (response.status === 201 || response.status === 200 || response.status === 202) {
    await drainBody(response);
    const taken = parseDigest(response.headers['docker-content-digest']);
    if (taken !== undefined && digestAlgorithm(taken) === digestAlgorithm(digest) && taken !== digest)
      throw svcError('SVC-SIG-002', { reference: request.reference, expected: digest, actual: taken });
    if (isUnusual && taken !== digest && !(await hasManifest(scope, digest, options)))
      throw toRefused(`the registry took it as ${taken ?? 'something else'}`);
    const tags = response.headers['oci-tag']?.split(',').map((tag) => tag.trim()) ?? [];
    return { subject: response.headers['oci-subject'], tags };
  }
  const errors = await scope.client.readErrors(response);
  const codes = errors.map(({ code }) => code);
  const said = errors
    .map(({ code, message }) => `${code} ${message}`.trim())
    .slice(0, 3)
    .join(', ');
  if (codes.includes('NAME_INVALID')) throw toNameRefused(request.reference, said);
  if (isIndex(manifest) && codes.some((code) => absent.has(code)))
    throw svcError(
      'SVC-DST-002',
      { reference: request.reference, missing: toMissing(errors) },
      { detail: said },
    );
  const detail = `PUT was answered ${response.status}${said === '' ? '' : `: ${said}`}`;
  if (isUnusual && unsupported.has(response.status) && !codes.some((code) => code.endsWith('BLOB_UNKNOWN')))
    throw toRefused(detail);
  // what is missing may come: everything else is how the registry judges the manifest
  if (refusals.has(response.status) && !codes.some((code) => absent.has(code) && code.endsWith('UNKNOWN'))) {
    const { mediaType } = manifest.descriptor;
    throw svcError('SVC-DST-004', { reference: request.reference, mediaType, detail });
  }
  throw svcError('SVC-REG-007', { reference: request.reference, detail });
}

/**
 * Sends a manifest. Registries name by sha256 what they get under a tag: a manifest that is pinned by another algorithm is
 * put under its digest first, so that its pin can be fetched, and under the tag then.
 *
 * @param reference a tag, or the manifest's own digest
 * @returns the subject that the registry says it has taken note of
 * @throws SVC-DST-001 for a name it refuses, SVC-DST-002 for an index it refuses for absent children, SVC-DST-003 for
 *   a digest by which it cannot be fetched there, SVC-DST-004 for a manifest that it does not accept
 */
export async function putManifest(
  scope: RepositoryScope,
  reference: string,
  manifest: ManifestContent,
  options?: CallOptions,
): Promise<string | undefined> {
  const { digest } = manifest.descriptor;
  if (isDigest(reference) || digestAlgorithm(digest) === canonical)
    return (await putOne(scope, reference, manifest, options)).subject;
  const pinned = await putOne(scope, digest, manifest, { ...options, tag: reference });
  if (pinned.tags.includes(reference)) return pinned.subject;
  return (await putOne(scope, reference, manifest, options)).subject;
}

export function toNameRefused(reference: string, detail: string): Error {
  return svcError('SVC-DST-001', { reference, limit: 'the registry refuses the name' }, { detail });
}
