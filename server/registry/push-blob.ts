import { type Digest, digestAlgorithm, parseDigest } from '../../src/base/digest.ts';
import { isRepositoryName } from '../../src/oci/reference.ts';
import { keepContent } from '../../src/store/keep-content.ts';
import { leaseBlob } from '../../src/store/lease-blob.ts';
import type { BlobWriter } from '../../src/store/model.ts';
import { mountBlob, recordUpload } from '../../src/store/record-upload.ts';
import { createBlobWriter } from '../../src/store/write-blob.ts';
import { isSvcError } from '../../src/text/error.ts';
import { acceptBody } from '../body.ts';
import { parseChunkRange } from './chunk-range.ts';
import { type RegistryCall, requireCurrent, sendEmpty } from './registry-call.ts';
import { takeBody } from './take-body.ts';
import { recordBytes } from './upload-room.ts';
import type { UploadSession } from './upload-sessions.ts';
import { wireError } from './wire-error.ts';

/** Maximum time without a byte of an upload, in milliseconds. The connection is closed after it. */
const stall = 120_000;
/** Bytes of a body after which the permission of its sender is checked again. */
const identityCheckBytes = 1 << 20;

function query(call: RegistryCall): URLSearchParams {
  return new URLSearchParams(call.exchange.query);
}

function demandDigest(text: string): Digest {
  const digest = parseDigest(text);
  if (digest === undefined) {
    throw wireError(400, 'DIGEST_INVALID', 'the digest must be sha256:<64 hex> or sha512:<128 hex>');
  }
  return digest;
}

function sessionLocation(session: UploadSession): string {
  return `/v2/${session.repository}/blobs/uploads/${session.id}`;
}

/** Headers with the progress of a session. `Range` is inclusive, so an empty session has `0-0`. */
function progressHeaders(session: UploadSession): Record<string, string> {
  return {
    location: sessionLocation(session),
    range: `0-${Math.max(0, session.writer.received - 1)}`,
    'docker-upload-uuid': session.id,
  };
}

/** The `Content-Length` of the body; undefined when the body is chunked. */
function announcedLength(call: RegistryCall): number | undefined {
  const { headers } = call.exchange.req;
  if (headers['content-length'] === undefined)
    return headers['transfer-encoding'] === undefined ? 0 : undefined;
  return Number(headers['content-length']);
}

/** Refuses a body that does not fit on the volume, before its first byte is read. @throws SVC-STO-004 */
async function checkSpace(call: RegistryCall, needed: number | undefined): Promise<void> {
  if (needed !== undefined && needed > 0) await call.room.require(needed);
}

/**
 * Makes the function that passes chunks to a writer in order. Each chunk waits until there is space for it.
 * The permission of the sender is checked again during the body, since an upload can take hours and its
 * length may be unknown.
 *
 * @throws (from the function) SVC-STO-004 when uploads have used up their space; SVC-AUTH-002 when the
 *   account or token of the sender was removed
 */
function openIntake(call: RegistryCall, writer: BlobWriter) {
  const { room } = call;
  let sinceCheck = 0;
  /** Set while a chunk waits for the free space to be read. */
  let waiting: Promise<void> | undefined;
  const write = (chunk: Buffer): Promise<void> => writer.write(chunk, { disposable: true });
  return async (chunk: Buffer): Promise<void> => {
    sinceCheck += chunk.length;
    if (sinceCheck >= identityCheckBytes) {
      sinceCheck = 0;
      requireCurrent(call);
    }
    if (waiting === undefined && room.tryTake(chunk.length)) return write(chunk);
    const taken = (waiting ?? Promise.resolve()).then(() => room.take(chunk.length));
    const written = taken.then(() => write(chunk));
    waiting = taken;
    const settle = (): void => {
      if (waiting === taken) waiting = undefined;
    };
    written.then(settle, () => {});
    return written;
  };
}

/**
 * Writes the body to a writer. Of a body that breaks off, the received part is kept.
 *
 * @param limit maximum length of the body in bytes
 * @throws SVC-AUTH-002 when the credential was revoked while the body arrived
 */
async function receive(call: RegistryCall, writer: BlobWriter, limit: number): Promise<number> {
  const { req, res } = call.exchange;
  acceptBody(req, res);
  const onStall = (): void => {
    req.destroy();
  };
  req.setTimeout(stall, onStall);
  try {
    const received = await takeBody(req, limit, openIntake(call, writer));
    requireCurrent(call);
    return received;
  } finally {
    req.setTimeout(0);
    req.off('timeout', onStall);
  }
}

function created(call: RegistryCall, repository: string, digest: Digest): void {
  sendEmpty(call, 201, {
    location: `/v2/${repository}/blobs/${digest}`,
    'docker-content-digest': digest,
  });
}

/**
 * Commits a blob under the digest that the client named, and makes it visible in the repository.
 *
 * @throws WireError 404 when the store was reset since the upload began: the client then begins again
 */
async function commit(call: RegistryCall, session: UploadSession, digest: Digest): Promise<void> {
  const { repository, writer } = session;
  // another repository may lose the blob before it is recorded for this one
  using keeper = await keepContent(call.store);
  keeper.add(digest);
  try {
    await writer.commit(digest);
  } catch (error) {
    if (isLost(call, session)) throw toUnknownUpload();
    if (!isSvcError(error, 'SVC-SIG-002')) throw error;
    throw wireError(400, 'DIGEST_INVALID', 'the bytes do not have the digest', {
      expected: digest,
      actual: error.params.actual,
    });
  }
  try {
    await recordUpload(call.store, repository, digest, call.identity.actor, () => requireCurrent(call));
  } catch (error) {
    throw isLost(call, session) ? toUnknownUpload() : error;
  }
  call.homes.remember(digest, repository);
  call.onChange(call.identity.actor, call.exchange.origin);
}

/**
 * Finds a repository from which a blob can be mounted: the named one, otherwise any in which it is visible.
 */
function findSource(call: RegistryCall, digest: Digest, from: string | null): string | undefined {
  const { index } = call.store;
  const offers = (name: string): boolean =>
    index.isBlobIn(name, digest) && call.gate.allowsBlob(name, digest);
  if (from !== null) return isRepositoryName(from) && offers(from) ? from : undefined;
  if (index.sizeOf(digest) === undefined) return undefined;
  const home = call.homes.find(digest);
  if (home !== undefined && offers(home)) return home;
  return index.repositories().find(offers);
}

/**
 * Handles POST to the uploads of a repository: a mount, a complete blob, or a session (distribution
 * specification, Pushing blobs). A mount that is not possible becomes a session, as the specification
 * requires.
 */
export async function openUpload(call: RegistryCall, repository: string): Promise<void> {
  const { store, uploads, identity } = call;
  await call.room.take(recordBytes);
  const parameters = query(call);
  const mount = parameters.get('mount');
  if (mount !== null) {
    const digest = demandDigest(mount);
    const from = findSource(call, digest, parameters.get('from'));
    if (from !== undefined && (await mountBlob(store, repository, digest, from, identity.actor))) {
      leaseBlob(store, digest, repository);
      call.onChange(call.identity.actor, call.exchange.origin);
      return created(call, repository, digest);
    }
  }
  const wanted = parameters.get('digest');
  if (wanted !== null && mount === null) {
    const digest = demandDigest(wanted);
    const size = announcedLength(call);
    await checkSpace(call, size);
    const session = await uploads.open({ repository, identity, mediaId: store.mediaId }, () =>
      createBlobWriter(store, {
        algorithm: digestAlgorithm(digest),
        direct: true,
        size,
      }),
    );
    session.busy = true;
    try {
      await receive(call, session.writer, Number.POSITIVE_INFINITY);
      await commit(call, session, digest);
    } finally {
      await uploads.end(session);
    }
    return created(call, repository, digest);
  }
  const algorithm = parameters.get('digest-algorithm') ?? 'sha256';
  if (algorithm !== 'sha256' && algorithm !== 'sha512') {
    throw wireError(400, 'DIGEST_INVALID', 'the digest algorithms are sha256 and sha512', { algorithm });
  }
  const session = await uploads.open({ repository, identity, mediaId: store.mediaId }, () =>
    createBlobWriter(store, { algorithm, direct: true }),
  );
  sendEmpty(call, 202, progressHeaders(session));
}

function toUnknownUpload(): Error {
  return wireError(404, 'BLOB_UPLOAD_UNKNOWN', 'no such upload');
}

/** Whether a reset has deleted the bytes of a session. The store then has another medium identifier. */
function isLost(call: RegistryCall, session: UploadSession): boolean {
  return session.mediaId !== call.store.mediaId;
}

function findSession(call: RegistryCall, repository: string, id: string): UploadSession {
  const session = call.uploads.find(id, repository, call.identity);
  if (session === undefined) throw toUnknownUpload();
  if (!isLost(call, session)) return session;
  if (!session.busy) call.uploads.end(session).catch(() => {});
  throw toUnknownUpload();
}

/**
 * Appends the body of one request to a session. Only one request at a time may write. A chunk that does not
 * start at the end of the session is refused before its first byte is read.
 */
async function append(call: RegistryCall, session: UploadSession): Promise<void> {
  const length = announcedLength(call);
  const header = call.exchange.req.headers['content-range'];
  let limit = Number.POSITIVE_INFINITY;
  if (header !== undefined) {
    const range = parseChunkRange(header);
    if (range === undefined || range.start !== session.writer.received) {
      throw wireError(416, 'BLOB_UPLOAD_INVALID', 'the chunk does not continue the upload', undefined, {
        ...progressHeaders(session),
      });
    }
    limit = range.end - range.start + 1;
    if (length !== undefined && length !== limit) {
      throw wireError(400, 'SIZE_INVALID', 'Content-Length and Content-Range differ');
    }
  }
  await checkSpace(call, length);
  const received = await receive(call, session.writer, limit);
  if (limit !== Number.POSITIVE_INFINITY && received < limit) {
    throw wireError(400, 'SIZE_INVALID', 'the body is shorter than its Content-Range says');
  }
}

async function exclusively(
  call: RegistryCall,
  session: UploadSession,
  work: () => Promise<void>,
): Promise<void> {
  if (session.busy) {
    throw wireError(409, 'BLOB_UPLOAD_INVALID', 'another request is writing to this upload', undefined, {
      'retry-after': '1',
    });
  }
  session.busy = true;
  try {
    await work();
  } catch (error) {
    if (isSvcError(error, 'SVC-AUTH-002')) await call.uploads.end(session);
    if (!isLost(call, session)) throw error;
    await call.uploads.end(session);
    throw toUnknownUpload();
  } finally {
    session.busy = false;
    session.lastUsed = performance.now();
  }
}

/**
 * Whether a session stays usable after a failed request: the peer disconnected, or the request was refused
 * before a byte was written.
 */
function isSurvivable(call: RegistryCall, session: UploadSession, before: number): boolean {
  return call.exchange.req.socket.destroyed || session.writer.received === before;
}

/** Appends the body to a session. Ends the session after a failure that makes it unusable. */
async function appendOrEnd(call: RegistryCall, session: UploadSession): Promise<void> {
  const before = session.writer.received;
  try {
    await append(call, session);
  } catch (error) {
    if (!isSurvivable(call, session, before)) await call.uploads.end(session);
    throw error;
  }
}

/** Handles GET of a session: its progress. */
export function uploadStatus(call: RegistryCall, repository: string, id: string): void {
  sendEmpty(call, 204, progressHeaders(findSession(call, repository, id)));
}

/** Handles PATCH: a chunk in order, or the complete blob as one stream. */
export async function appendUpload(call: RegistryCall, repository: string, id: string): Promise<void> {
  const session = findSession(call, repository, id);
  await exclusively(call, session, () => appendOrEnd(call, session));
  sendEmpty(call, 202, progressHeaders(session));
}

/** Handles PUT: the last chunk, if any, and the digest of the blob. */
export async function closeUpload(call: RegistryCall, repository: string, id: string): Promise<void> {
  const session = findSession(call, repository, id);
  const wanted = query(call).get('digest');
  if (wanted === null) throw wireError(400, 'DIGEST_INVALID', 'the parameter digest is missing');
  const digest = demandDigest(wanted);
  await exclusively(call, session, async () => {
    await appendOrEnd(call, session);
    try {
      await commit(call, session, digest);
    } finally {
      await call.uploads.end(session);
    }
  });
  created(call, repository, digest);
}

/** Handles DELETE of a session. */
export async function cancelUpload(call: RegistryCall, repository: string, id: string): Promise<void> {
  const session = findSession(call, repository, id);
  await exclusively(call, session, () => call.uploads.end(session));
  sendEmpty(call, 204);
}
