import { hasRole } from '../../src/account/model.ts';
import { type Digest, digestAlgorithm, digestHex } from '../../src/base/digest.ts';
import { isDamage } from '../../src/store/blobs/judge-blob.ts';
import { deleteBlob } from '../../src/store/delete-content.ts';
import { isWhole } from '../../src/store/is-whole.ts';
import { leaseBlob } from '../../src/store/lease-blob.ts';
import { openBlob } from '../../src/store/open-blob.ts';
import { requireOpen } from '../../src/view/require-open.ts';
import { parseByteRange } from '../byte-range.ts';
import { isTagListed } from '../etag.ts';
import { sendBlobPart } from '../send-blob.ts';
import { baseHeaders } from './base-headers.ts';
import type { RegistryCall } from './registry-call.ts';
import { wireError } from './wire-error.ts';

function unknownBlob(digest: Digest) {
  return wireError(404, 'BLOB_UNKNOWN', 'blob unknown to registry', { digest });
}

/**
 * Whether a blob is visible in a repository, as a blob or as one of its manifests, and the gate allows it.
 */
function isVisible(call: RegistryCall, repository: string, digest: Digest): boolean {
  const { index } = call.store;
  if (index.isBlobIn(repository, digest)) return call.gate.allowsBlob(repository, digest);
  return index.isManifestIn(repository, digest) && call.gate.allowsManifest(repository, digest);
}

/**
 * Handles GET and HEAD of a blob, complete or one range (distribution specification, Pulling blobs). A blob
 * that a client with push permission has checked is kept for the push that is likely to follow.
 */
export async function pullBlob(call: RegistryCall, repository: string, digest: Digest): Promise<void> {
  const { store, gate, exchange } = call;
  const { req, res } = exchange;
  if (!isVisible(call, repository, digest)) throw unknownBlob(digest);
  // behind a gate the verification has hashed the blob already
  if (!gate.guarded && !(await isWhole(store, digest))) throw unknownBlob(digest);
  const size = store.index.sizeOf(digest);
  if (size === undefined) throw unknownBlob(digest);
  const headers = {
    ...baseHeaders(call),
    'content-type': 'application/octet-stream',
    'docker-content-digest': digest,
    etag: `"${digest}"`,
    'accept-ranges': 'bytes',
    // The bytes of a digest never change, but its readers do. A shared cache stores nothing (RFC 9111, section 5.2.2.7),
    // unless it asks here before each answer, as deploy/nginx-cache.conf does.
    'cache-control': 'private, max-age=31536000, immutable',
  };
  if (req.method === 'HEAD' && hasRole(call.identity.role, 'operator')) leaseBlob(store, digest, repository);
  if (isTagListed(req.headers['if-none-match'], headers.etag)) {
    res.writeHead(304, headers);
    res.end();
    return;
  }
  if (req.method === 'HEAD') {
    res.writeHead(200, { ...headers, 'content-length': size });
    res.end();
    return;
  }
  const guard = req.headers['if-range'];
  const range =
    guard === undefined || guard === `"${digest}"`
      ? parseByteRange(req.headers.range, size)
      : ({ kind: 'whole' } as const);
  if (range.kind === 'unsatisfiable') {
    throw wireError(416, 'SIZE_INVALID', 'the range is outside the blob', undefined, {
      'content-range': `bytes */${size}`,
    });
  }
  const path = `blobs/${digestAlgorithm(digest)}/${digestHex(digest)}`;
  const { file, size: actual } = await openBlob(store, digest);
  try {
    let part = range.kind === 'part' ? range : undefined;
    // The hash of a part cannot be checked, so a part of a foreign blob is sent only from a verified file. Otherwise the
    // complete blob is sent.
    if (
      part !== undefined &&
      gate.rehash &&
      !gate.isVerifiedFile(digest, await file.stat({ bigint: true }))
    ) {
      part = undefined;
    }
    if (actual !== size) {
      gate.onAltered(digest);
      if (gate.closeIfChanged?.()) requireOpen({ gate });
      throw unknownBlob(digest);
    }
    if (part === undefined) {
      res.writeHead(200, { ...headers, 'content-length': size });
      if (size === 0) res.end();
      else {
        await sendBlobPart(res, file, {
          start: 0,
          length: size,
          path,
          ...(gate.rehash ? { expected: digest } : {}),
        });
      }
      return;
    }
    const { start, end } = part;
    res.writeHead(206, {
      ...headers,
      'content-length': end - start + 1,
      'content-range': `bytes ${start}-${end}/${size}`,
    });
    await sendBlobPart(res, file, { start, length: end - start + 1, path });
  } catch (error) {
    if (gate.rehash && isDamage(error)) gate.onAltered(digest);
    throw error;
  } finally {
    await file.close();
  }
}

/** Handles DELETE of a blob: removes it from the repository, unless a manifest of the repository needs it. */
export async function removeBlob(call: RegistryCall, repository: string, digest: Digest): Promise<void> {
  const { store, exchange } = call;
  if (!isVisible(call, repository, digest)) throw unknownBlob(digest);
  if (store.index.isBlobNeeded(repository, digest) || store.index.isManifestIn(repository, digest)) {
    throw wireError(405, 'UNSUPPORTED', 'a manifest of this repository needs the blob', { digest });
  }
  if (!(await deleteBlob(store, repository, digest))) throw unknownBlob(digest);
  call.report.audit({
    actor: call.identity.actor,
    action: 'content.delete',
    target: `${repository}@${digest}`,
    outcome: 'success',
    origin: exchange.origin,
  });
  call.onChange(call.identity.actor, call.exchange.origin);
  exchange.res.writeHead(202, { ...baseHeaders(call), 'content-length': 0 });
  exchange.res.end();
}
