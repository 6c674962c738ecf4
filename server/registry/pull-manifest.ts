import { hasRole } from '../../src/account/model.ts';
import type { Digest } from '../../src/base/digest.ts';
import { toWithheldError } from '../../src/base/gate-refusal.ts';
import { peekManifest } from '../../src/store/blobs/peek-manifest.ts';
import { isWhole } from '../../src/store/is-whole.ts';
import { leaseBlob } from '../../src/store/lease-blob.ts';
import { svcError } from '../../src/text/error.ts';
import { isTagListed } from '../etag.ts';
import { commonHeaders } from './base-headers.ts';
import { readUnaltered } from './read-unaltered.ts';
import { endWith, type RegistryCall } from './registry-call.ts';
import type { RegistryRoute } from './route.ts';
import { wireError } from './wire-error.ts';

export type ManifestRoute = Extract<RegistryRoute, { to: 'manifest' }>;

const fixedHeaders = Object.entries({
  ...commonHeaders,
  // a tag moves, and a manifest can be withdrawn: a private cache asks again, which costs no body
  'cache-control': 'private, no-cache',
}).flat();

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
  if (!isAllowed) throw toWithheldError(gate, store.mediaId, route);
  return record.digest;
}

/**
 * Sends the headers of a manifest. A client that may push and asks with HEAD is promised that the manifest stays.
 *
 * @param size bytes
 * @returns whether the answer has ended, since it has no body
 */
function sendHead(call: RegistryCall, digest: Digest, mediaType: string, size: number): boolean {
  const { req, res } = call.exchange;
  if (req.method === 'HEAD' && hasRole(call.identity.role, 'operator')) leaseBlob(call.store, digest);
  const etag = `"${digest}"`;
  const isKnown = isTagListed(req.headers['if-none-match'], etag);
  // names and values in turn, which node goes through faster than an object
  const headers: (string | number)[] = [
    ...fixedHeaders,
    'x-request-id',
    call.exchange.correlationId,
    'content-type',
    mediaType,
    'docker-content-digest',
    digest,
    'etag',
    etag,
  ];
  if (!isKnown) headers.push('content-length', size);
  res.writeHead(isKnown ? 304 : 200, headers);
  if (!isKnown && req.method !== 'HEAD') return false;
  res.end();
  return true;
}

/** Sends a manifest that is not in memory, or is not known to be intact. */
async function readManifest(call: RegistryCall, route: ManifestRoute, digest: Digest): Promise<void> {
  const { store, gate, exchange } = call;
  // behind a gate the verification has hashed the manifest already
  if (!gate.guarded && !(await isWhole(store, digest))) throw unknownManifest(route);
  const record = store.index.manifest(digest);
  if (record === undefined) throw unknownManifest(route);
  const { method, headers } = exchange.req;
  if (method === 'HEAD' || isTagListed(headers['if-none-match'], `"${digest}"`)) {
    sendHead(call, digest, record.mediaType, record.size);
    return;
  }
  const content = await readUnaltered(call, digest);
  if (content === undefined) throw unknownManifest(route);
  sendHead(call, digest, record.mediaType, content.bytes.length);
  endWith(exchange.res, content.bytes);
}

/**
 * Handles GET and HEAD of a manifest by tag or digest. The manifest is sent as pushed, for any `Accept`: some clients
 * send none, or one that does not match. A manifest in memory is sent at once: a promise costs more than its look-up.
 */
export function pullManifest(call: RegistryCall, route: ManifestRoute): void | Promise<void> {
  const { store, exchange } = call;
  const digest = resolve(call, route);
  const known = peekManifest(store, digest);
  if (known === undefined) return readManifest(call, route, digest);
  const { mediaType, text } = known;
  if (!sendHead(call, digest, mediaType, text.length)) exchange.res.end(text, 'latin1');
}
