import { hasRole } from '../../src/account/model.ts';
import type { Digest } from '../../src/base/digest.ts';
import { svcError } from '../../src/base/error.ts';
import { isWhole } from '../../src/store/is-whole.ts';
import { leaseBlob } from '../../src/store/lease-blob.ts';
import { isTagListed } from '../etag.ts';
import { readUnaltered } from './read-unaltered.ts';
import { baseHeaders, endWith, type RegistryCall } from './registry-call.ts';
import type { RegistryRoute } from './route.ts';
import { wireError } from './wire-error.ts';

export type ManifestRoute = Extract<RegistryRoute, { to: 'manifest' }>;

function unknownManifest(route: ManifestRoute) {
  return wireError(404, 'MANIFEST_UNKNOWN', 'manifest unknown to registry', {
    name: route.repository,
    reference: 'tag' in route ? route.tag : route.digest,
  });
}

/** Resolves a route to a digest that is in the repository and may be served. */
function resolve(call: RegistryCall, route: ManifestRoute): Digest {
  const { store, gate } = call;
  if (!('tag' in route)) {
    if (!store.index.isManifestIn(route.repository, route.digest)) throw unknownManifest(route);
    if (!gate.allowsManifest(route.repository, route.digest)) throw unknownManifest(route);
    return route.digest;
  }
  const record = store.index.tag(route.repository, route.tag);
  const isAllowed = record !== undefined && gate.allowsTag(route.repository, route.tag);
  const pinned = isAllowed ? undefined : gate.digestOf?.(route.repository, route.tag);
  if (pinned !== undefined) return pinned;
  if (record === undefined) throw unknownManifest(route);
  if (record.held) throw svcError('SVC-MED-030', { mediaId: store.mediaId });
  if (!isAllowed) throw svcError('SVC-MED-032', { mediaId: store.mediaId });
  return record.digest;
}

/**
 * Handles GET and HEAD of a manifest by tag or digest. The manifest is sent as pushed, whatever `Accept`
 * contains: some clients send no `Accept`, or one that does not match.
 */
export async function pullManifest(call: RegistryCall, route: ManifestRoute): Promise<void> {
  const { store, gate, exchange } = call;
  const { req, res } = exchange;
  const digest = resolve(call, route);
  // behind a gate the verification has hashed the manifest already
  if (!gate.guarded && !(await isWhole(store, digest))) throw unknownManifest(route);
  const record = store.index.manifest(digest);
  if (record === undefined) throw unknownManifest(route);
  const headers = {
    ...baseHeaders(call),
    'content-type': record.mediaType,
    'docker-content-digest': digest,
    etag: `"${digest}"`,
    // a tag moves, and a manifest can be withdrawn: a private cache asks again, which costs no body
    'cache-control': 'private, no-cache',
  };
  if (req.method === 'HEAD' && hasRole(call.identity.role, 'operator')) leaseBlob(store, digest);
  if (isTagListed(req.headers['if-none-match'], headers.etag)) {
    res.writeHead(304, headers);
    res.end();
    return;
  }
  if (req.method === 'HEAD') {
    res.writeHead(200, { ...headers, 'content-length': record.size });
    res.end();
    return;
  }
  const content = await readUnaltered(call, digest);
  if (content === undefined) throw unknownManifest(route);
  res.writeHead(200, { ...headers, 'content-length': content.bytes.length });
  endWith(res, content.bytes);
}
