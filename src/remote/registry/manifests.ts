import { type Digest, digestAlgorithm, hashBytes, isDigest, parseDigest } from '../../base/digest.ts';
import { parseJson } from '../../base/json/parse-json.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import { manifestLimits } from '../../oci/manifest.ts';
import { isImageType, isIndexType, manifestAccept, toPlainType } from '../../oci/media-types.ts';
import type { CallOptions, ManifestContent } from '../../oci/ports.ts';
import { svcError } from '../../text/error.ts';
import type { TransportResponse } from '../model.ts';
import { isPageType, refusePage, toPageAnswer } from '../transport/page-answer.ts';
import { drainBody, readBody } from '../transport/read-body.ts';
import type { ClientRequest } from './client.ts';
import { logSubstitution, type RepositoryScope, toName, toPath } from './scope.ts';

const toMediaType = (field: string | undefined): string => toPlainType(field ?? '');

function ask(
  scope: RepositoryScope,
  method: 'GET' | 'HEAD',
  reference: string,
  options?: CallOptions,
): ClientRequest {
  return {
    method,
    to: toPath(scope, `manifests/${reference}`),
    scope: scope.pull,
    headers: { accept: manifestAccept },
    reference: toName(scope, reference),
    signal: options?.signal,
  };
}

/** The descriptor in the headers of a HEAD; undefined when they are incomplete. */
function toDescriptor(response: TransportResponse): Descriptor | undefined {
  const digest = parseDigest(response.headers['docker-content-digest']);
  const mediaType = toMediaType(response.headers['content-type']);
  const length = response.headers['content-length'] ?? '';
  if (digest === undefined || !/^\d{1,15}$/.test(length) || Number(length) === 0) return undefined;
  if (!isImageType(mediaType) && !isIndexType(mediaType)) return undefined;
  return { mediaType, digest, size: Number(length) };
}

/** The media type of the answer if it is a manifest type, else the one that the document declares. */
function readMediaType(bytes: Buffer, sent: string): string {
  if (isImageType(sent) || isIndexType(sent)) return sent;
  try {
    const declared: unknown = (parseJson(bytes) as { mediaType?: unknown }).mediaType;
    return typeof declared === 'string' && declared !== '' ? declared : sent;
  } catch {
    return sent;
  }
}

/**
 * Reads a manifest of at most 4 MiB; undefined when it does not exist.
 *
 * @throws SVC-SIG-002, SVC-VAL-002, errors of the client
 */
export async function fetchManifest(
  scope: RepositoryScope,
  reference: string,
  options?: CallOptions,
): Promise<ManifestContent | undefined> {
  logSubstitution(scope, reference);
  const request = ask(scope, 'GET', reference, options);
  return scope.client.repeat(async () => {
    const response = await scope.client.sendOnce(request);
    if (response.status === 404) {
      await drainBody(response);
      return undefined;
    }
    if (response.status !== 200) throw await scope.client.toUnexpected(request, response);
    const bytes = await readBody(response, manifestLimits.bytes, request.reference, options?.signal);
    const declared = parseDigest(response.headers['docker-content-digest']);
    const wanted = parseDigest(reference);
    const digest = hashBytes(bytes, digestAlgorithm(wanted ?? declared ?? 'sha256:'));
    const expected = wanted ?? declared ?? digest;
    // a page is the requested content only if it has the digest
    if (digest !== (wanted ?? declared)) refusePage(response, bytes, request.reference);
    if (digest !== expected)
      throw svcError('SVC-SIG-002', { reference: request.reference, expected, actual: digest });
    const mediaType = readMediaType(bytes, toMediaType(response.headers['content-type']));
    return { descriptor: { mediaType, digest, size: bytes.length }, bytes };
  }, options?.signal);
}

/** Resolves a tag or digest: by HEAD, or by GET where HEAD is unsupported or incomplete. */
export async function resolveManifest(
  scope: RepositoryScope,
  reference: string,
  options?: CallOptions,
): Promise<Descriptor | undefined> {
  const request = ask(scope, 'HEAD', reference, options);
  const response = await scope.client.send(request);
  await drainBody(response);
  if (response.status === 404) {
    logSubstitution(scope, reference);
    return undefined;
  }
  const found = response.status === 200 ? toDescriptor(response) : undefined;
  if (found === undefined) return (await fetchManifest(scope, reference, options))?.descriptor;
  logSubstitution(scope, reference);
  if (isDigest(reference) && found.digest !== reference)
    throw svcError('SVC-SIG-002', {
      reference: request.reference,
      expected: reference,
      actual: found.digest,
    });
  return found;
}

/**
 * Whether the repository has a manifest: by HEAD, or by GET where HEAD is unsupported.
 *
 * @throws errors of the client
 */
export async function hasManifest(
  scope: RepositoryScope,
  digest: Digest,
  options?: CallOptions,
): Promise<boolean> {
  const request = ask(scope, 'HEAD', digest, options);
  const response = await scope.client.send(request);
  await drainBody(response);
  if (response.status === 200) {
    const declared = response.headers['docker-content-digest'];
    if (declared !== undefined) return declared === digest;
    if (isPageType(response)) throw toPageAnswer(response, request.reference);
    const type = toMediaType(response.headers['content-type']);
    // the answer names neither the digest nor a manifest: its bytes decide
    return (
      isImageType(type) || isIndexType(type) || (await fetchManifest(scope, digest, options)) !== undefined
    );
  }
  if (response.status === 404) return false;
  if (response.status === 405 || response.status === 501)
    return (await fetchManifest(scope, digest, options)) !== undefined;
  throw await scope.client.toUnexpected(request, response);
}

/** @returns false when it did not exist */
export async function deleteManifest(
  scope: RepositoryScope,
  reference: string,
  options?: CallOptions,
): Promise<boolean> {
  const request: ClientRequest = {
    method: 'DELETE',
    to: toPath(scope, `manifests/${reference}`),
    scope: `repository:${scope.effective.repository}:delete`,
    reference: toName(scope, reference),
    signal: options?.signal,
  };
  const response = await scope.client.send(request);
  if (response.status !== 404 && (response.status < 200 || response.status >= 300))
    throw await scope.client.toUnexpected(request, response);
  await drainBody(response);
  return response.status !== 404;
}
