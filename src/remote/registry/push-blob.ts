import { Readable } from 'node:stream';
import type { RateLimiter } from '../../base/link/rate-limiter.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import type { CallOptions, PushOptions } from '../../oci/ports.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import type { TransportResponse } from '../model.ts';
import { drainBody } from '../transport/read-body.ts';
import { isRenewed, toTransience } from '../transport/transience.ts';
import { hasBlob } from './blobs.ts';
import type { Client, ClientRequest } from './client.ts';
import { createOutgoing, type Outgoing, readWhole } from './outgoing.ts';
import { toNameRefused } from './put-manifest.ts';
import { toAnswered } from './registry-error.ts';
import { type RepositoryScope, toName, toNoPlace, toPath } from './scope.ts';

/** Bytes. Smaller blobs are read and verified before the upload, so that both requests can be repeated. */
const wholeLimit = 1024 * 1024;

function toLocation(response: TransportResponse, reference: string): URL {
  const location = response.headers.location;
  if (location === undefined || !URL.canParse(location, response.url.href))
    throw svcError('SVC-REG-007', {
      reference,
      detail: rule([
        'the registry accepted an upload without a Location',
        fr`le registre a accepté un envoi sans en-tête Location`,
      ]),
    });
  return new URL(location, response.url);
}

async function begin(
  scope: RepositoryScope,
  reference: string,
  query: string,
  needs: string,
  send: Client['send'],
  options?: CallOptions,
): Promise<TransportResponse> {
  const request: ClientRequest = {
    method: 'POST',
    to: toPath(scope, `blobs/uploads/${query}`),
    scope: needs,
    headers: { 'content-length': '0' },
    reference,
    signal: options?.signal,
  };
  const response = await send(request);
  if (response.status === 201 || response.status === 202) {
    await drainBody(response);
    return response;
  }
  if (response.status !== 400 && response.status !== 404)
    throw await scope.client.toUnexpected(request, response);
  const errors = await scope.client.readErrors(response);
  const reasons = errors
    .map(({ code, message }) => `${code} ${message}`.trim())
    .slice(0, 3)
    .join(', ');
  if (errors.some(({ code }) => code === 'NAME_INVALID')) throw toNameRefused(reference, reasons);
  const { status } = response;
  const detail = toAnswered('POST', status, reasons);
  // registries that make no repository at a push, or hide it from clients without permission
  if (status === 404) throw toNoPlace(scope, detail);
  throw svcError('SVC-REG-007', { reference, detail, status });
}

/** Milliseconds for cancelling an upload, and the shorter time after an interruption of the command. */
const cancelTimeout = 10_000;
const interruptedCancelTimeout = 2000;

/** Cancels an upload. Failures are only logged: the registry removes abandoned uploads itself. */
async function cancel(
  scope: RepositoryScope,
  url: URL,
  reference: string,
  options?: CallOptions,
): Promise<void> {
  try {
    const response = await scope.client.sendOnce({
      method: 'DELETE',
      to: { url, kind: 'upload location' },
      scope: scope.push,
      reference,
      signal: AbortSignal.timeout(options?.signal?.aborted ? interruptedCancelTimeout : cancelTimeout),
    });
    await drainBody(response);
  } catch (error) {
    scope.report.log('debug', 'an upload could not be cancelled', {
      effective: scope.effective.host,
      error,
    });
  }
}

async function finish(
  scope: RepositoryScope,
  blob: Descriptor,
  at: URL,
  body: Buffer,
  send: Client['send'],
  options?: CallOptions,
): Promise<void> {
  const url = new URL(at);
  url.searchParams.set('digest', blob.digest);
  const request: ClientRequest = {
    method: 'PUT',
    to: { url, kind: 'upload location' },
    scope: scope.push,
    headers: {
      'content-type': 'application/octet-stream',
      ...(body.length === 0 ? { 'content-length': '0' } : {}),
    },
    body,
    reference: toName(scope, blob.digest),
    signal: options?.signal,
  };
  const response = await send(request);
  if (response.status === 201 || response.status === 204) {
    await drainBody(response);
    return;
  }
  const error = await scope.client.toUnexpected(request, response);
  // the answer of an earlier PUT was lost: that PUT has ended the upload
  if (response.status === 404 && (await hasBlob(scope, blob, options))) return;
  throw error;
}

/** One attempt to upload bytes in memory. */
async function pushWhole(
  scope: RepositoryScope,
  blob: Descriptor,
  bytes: Buffer,
  options?: CallOptions,
): Promise<void> {
  const reference = toName(scope, blob.digest);
  const { sendOnce } = scope.client;
  const accepted = await begin(scope, reference, '', scope.push, sendOnce, options);
  if (accepted.status === 201) return;
  const at = toLocation(accepted, reference);
  try {
    await finish(scope, blob, at, bytes, sendOnce, options);
  } catch (error) {
    await cancel(scope, at, reference, options);
    throw error;
  }
}

/** One attempt to upload a stream. `send` sends the requests before and after the stream. */
async function pushStream(
  scope: RepositoryScope,
  blob: Descriptor,
  body: Outgoing,
  send: Client['send'],
  options?: CallOptions,
): Promise<void> {
  const reference = toName(scope, blob.digest);
  const accepted = await begin(scope, reference, '', scope.push, send, options);
  if (accepted.status === 201) return;
  const begun = toLocation(accepted, reference);
  let at = begun;
  try {
    const request: ClientRequest = {
      method: 'PATCH',
      to: { url: at, kind: 'upload location' },
      scope: scope.push,
      headers: { 'content-type': 'application/octet-stream', 'content-length': String(blob.size) },
      body,
      reference,
      signal: options?.signal,
    };
    const response = await scope.client.sendOnce(request);
    if (response.status !== 202 && response.status !== 201 && response.status !== 204)
      throw await scope.client.toUnexpected(request, response);
    await drainBody(response);
    if (!body.isWhole)
      throw svcError('SVC-REG-007', {
        reference,
        detail: rule([
          'the registry answered before the upload ended',
          fr`le registre a répondu avant la fin de l’envoi`,
        ]),
      });
    if (response.headers.location !== undefined) at = toLocation(response, reference);
    await finish(scope, blob, at, Buffer.alloc(0), send, options);
  } catch (error) {
    // read before the cancellation, which may cause further errors of the body
    const { fault } = body;
    await cancel(scope, at, reference, options);
    // the URL returned by the registry may be wrong, so the first one is cancelled too
    if (at.origin !== begun.origin || at.pathname !== begun.pathname)
      await cancel(scope, begun, reference, options);
    options?.signal?.throwIfAborted();
    throw fault ?? error;
  }
}

/** Repeats an upload from its source once, where its credentials expired on the way and were renewed. */
async function renewOnce(push: () => Promise<void>): Promise<void> {
  try {
    await push();
  } catch (error) {
    if (!isRenewed(error)) throw error;
    await push();
  }
}

/**
 * Uploads a blob. It is hashed while streaming, and a separate request completes the upload only when size
 * and digest are right; else the upload is cancelled.
 *
 * @param from a stream, or a function that opens a new one for each attempt
 * @throws SVC-SIG-002, SVC-DST-001, SVC-REG-007, errors of client and source
 */
export async function pushBlob(
  scope: RepositoryScope,
  blob: Descriptor,
  from: Readable | (() => Readable | Promise<Readable>),
  options?: PushOptions,
): Promise<void> {
  const { client } = scope;
  let told = 0;
  /** Reports the progress of one attempt, without the bytes that an earlier one has reported. */
  const countAttempt = (): ((bytes: number) => void) => {
    let passed = 0;
    return (bytes) => {
      passed += bytes;
      if (passed <= told) return;
      const news = passed - told;
      told = passed;
      options?.onBytes?.(news);
    };
  };
  /** A blob that is sent as a whole is counted by the transport. */
  const read = (limiter?: RateLimiter): Outgoing =>
    createOutgoing(
      blob,
      typeof from === 'function' ? from : () => from,
      toName(scope, blob.digest),
      countAttempt(),
      { limiter, signal: options?.signal },
    );
  const { limiter } = client;
  try {
    if (blob.size <= wholeLimit) {
      const bytes = await readWhole(read(), blob.size);
      await client.repeat(() => pushWhole(scope, blob, bytes, options), options?.signal);
    } else if (typeof from === 'function') {
      const push = () => pushStream(scope, blob, read(limiter), client.sendOnce, options);
      await client.repeat(() => renewOnce(push), options?.signal);
    } else {
      await pushStream(scope, blob, read(limiter), client.send, options);
    }
  } finally {
    if (from instanceof Readable) from.destroy();
  }
}

/** Mounts a blob of another repository of the registry. False: not possible, no upload is left open. */
export async function mountBlob(
  scope: RepositoryScope,
  blob: Descriptor,
  fromRepository: string,
  options?: CallOptions,
): Promise<boolean> {
  const reference = toName(scope, blob.digest);
  const query = new URLSearchParams({ mount: blob.digest, from: fromRepository });
  const needs = `${scope.push} repository:${fromRepository}:pull`;
  let response: TransportResponse;
  try {
    response = await begin(scope, reference, `?${query}`, needs, scope.client.send, options);
  } catch (error) {
    options?.signal?.throwIfAborted();
    // a mount only saves time: if it is refused the blob is uploaded, which reports a persistent fault
    if (toTransience(error) === false) return false;
    throw error;
  }
  if (response.status === 201) return true;
  if (response.headers.location !== undefined)
    await cancel(scope, toLocation(response, reference), reference, options);
  return false;
}
