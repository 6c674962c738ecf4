import { digestAlgorithm, isDigest, parseDigest } from '../../base/digest.ts';
import { isIndexType } from '../../oci/media-types.ts';
import type { CallOptions, ManifestContent } from '../../oci/ports.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import { drainBody } from '../transport/read-body.ts';
import { isRefusal } from '../transport/retry-policy.ts';
import type { ClientRequest } from './client.ts';
import { hasManifest } from './manifests.ts';
import { toAnswered } from './registry-error.ts';
import { type RepositoryScope, toName, toPath } from './scope.ts';

const absent = new Set(['MANIFEST_BLOB_UNKNOWN', 'BLOB_UNKNOWN', 'MANIFEST_UNKNOWN', 'MANIFEST_INVALID']);

function toMissing(errors: readonly { readonly detail: unknown }[]): string[] {
  return errors.flatMap(({ detail }) => {
    if (isDigest(detail)) return [detail];
    if (typeof detail !== 'object' || detail === null) return [];
    return Object.values(detail).filter(isDigest);
  });
}

/** Whether the manifest is an index, which has children. */
function isIndex(manifest: ManifestContent): boolean {
  return isIndexType(manifest.descriptor.mediaType);
}

/** The registry's answer to a manifest that it accepted. */
interface Taken {
  /** The subject in `OCI-Subject`. */
  readonly subject?: string | undefined;
  /** Tags that it set in the same request. */
  readonly tags: readonly string[];
}

/** Statuses with which registries refuse a digest of an unknown algorithm. */
const unsupported: ReadonlySet<number> = new Set([400, 404, 405, 422, 501]);
/** Statuses with which registries refuse a manifest itself. */
const refusals: ReadonlySet<number> = new Set([400, 405, 406, 409, 413, 415, 422, 501]);
const canonical = 'sha256';

/**
 * Sends a manifest, by tag or by digest.
 *
 * @param tag tag to set in a put by digest; registries without this feature ignore it
 * @throws SVC-DST-001 for a refused name, SVC-DST-002 for an index refused because of absent children,
 *   SVC-DST-003 for a digest by which it cannot be fetched, SVC-DST-004 for a manifest that the registry does
 *   not accept
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
  const toRefused = (detail: Rule) =>
    svcError('SVC-DST-003', { reference: toName(scope, options?.tag), digest }, { detail });
  const response = await scope.client.send(request);
  if (response.status === 201 || response.status === 200 || response.status === 202) {
    await drainBody(response);
    const taken = parseDigest(response.headers['docker-content-digest']);
    if (taken !== undefined && digestAlgorithm(taken) === digestAlgorithm(digest) && taken !== digest)
      throw svcError('SVC-SIG-002', { reference: request.reference, expected: digest, actual: taken });
    if (isUnusual && taken !== digest && !(await hasManifest(scope, digest, options)))
      throw toRefused(
        rule(
          [
            'the registry took it as [{taken}|something else]',
            fr`le registre l’a pris comme [{taken}|autre chose]`,
          ],
          { taken },
        ),
      );
    const tags = response.headers['oci-tag']?.split(',').map((tag) => tag.trim()) ?? [];
    return { subject: response.headers['oci-subject'], tags };
  }
  const errors = await scope.client.readErrors(response);
  const codes = errors.map(({ code }) => code);
  const reasons = errors
    .map(({ code, message }) => `${code} ${message}`.trim())
    .slice(0, 3)
    .join(', ');
  if (codes.includes('NAME_INVALID')) throw toNameRefused(request.reference, reasons);
  if (isIndex(manifest) && codes.some((code) => absent.has(code)))
    throw svcError(
      'SVC-DST-002',
      { reference: request.reference, missing: toMissing(errors) },
      { detail: reasons },
    );
  const detail = toAnswered('PUT', response.status, reasons);
  if (isUnusual && unsupported.has(response.status) && !codes.some((code) => code.endsWith('BLOB_UNKNOWN')))
    throw toRefused(detail);
  // missing content may arrive later; any other refusal concerns the manifest itself
  const isLacking = codes.some((code) => absent.has(code) && code.endsWith('UNKNOWN'));
  if (refusals.has(response.status) && !isLacking) {
    const { mediaType } = manifest.descriptor;
    throw svcError('SVC-DST-004', { reference: request.reference, mediaType, detail });
  }
  // any other refusal concerns the tag or the account: immutable tags and quotas are 412 at some registries
  const status = isRefusal(response.status) && !isLacking ? response.status : undefined;
  throw svcError('SVC-REG-007', { reference: request.reference, detail, status });
}

/**
 * Sends a manifest. Registries name tagged content by sha256. A manifest pinned by another algorithm is first put under
 * its digest, for fetches by its pin, then under the tag.
 *
 * @param reference a tag, or the manifest's own digest
 * @returns the subject that the registry acknowledged
 * @throws SVC-DST-001 for a refused name, SVC-DST-002 for an index refused because of absent children,
 *   SVC-DST-003 for a digest by which it cannot be fetched, SVC-DST-004 for a manifest that the registry does
 *   not accept
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

/** Creates the SVC-DST-001 for a name that the registry refused. */
export function toNameRefused(reference: string, detail: string): Error {
  return svcError(
    'SVC-DST-001',
    { reference, limit: rule(['the registry refuses the name', fr`le registre refuse le nom`]) },
    { detail },
  );
}
