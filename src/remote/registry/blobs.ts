import { Readable } from 'node:stream';
import type { Clock } from '../../base/clock.ts';
import type { Digest } from '../../base/digest.ts';
import { TransferPaused } from '../../base/link/gate.ts';
import type { RateLimiter } from '../../base/link/rate-limiter.ts';
import type { Waits } from '../../base/link/waits.ts';
import { markDisposable } from '../../base/stream/disposable-chunks.ts';
import { markResumed } from '../../base/stream/resumed-stream.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import type { CallOptions } from '../../oci/ports.ts';
import { type SvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import type { MayResume, RangeAnswer, RangeRequest, TransportResponse } from '../model.ts';
import { isPageType, toPageAnswer } from '../transport/page-answer.ts';
import { createRangeRule } from '../transport/range-rule.ts';
import { codedBody, drainBody, dropBody, startPace } from '../transport/read-body.ts';
import { createPatience } from '../transport/retry.ts';
import { markTransient } from '../transport/transience.ts';
import type { ClientRequest } from './client.ts';
import { type RepositoryScope, toName, toNotFound, toPath } from './scope.ts';

/**
 * Size in bytes with which the repository announces a blob; undefined where it has none, where HEAD is unsupported, and
 * where it names no size.
 *
 * @throws errors of the client
 */
export async function announcedSize(
  scope: RepositoryScope,
  digest: Digest,
  options?: CallOptions,
): Promise<number | undefined> {
  const { status, headers } = await headBlob(scope, digest, options);
  const length = status === 200 ? headers['content-length'] : undefined;
  return length !== undefined && /^\d{1,15}$/.test(length) ? Number(length) : undefined;
}

/**
 * Whether the repository has a blob, by HEAD. False for another size, and where HEAD is unsupported.
 *
 * @throws errors of the client
 */
export async function hasBlob(
  scope: RepositoryScope,
  blob: Descriptor,
  options?: CallOptions,
): Promise<boolean> {
  const { status, headers } = await headBlob(scope, blob.digest, options);
  return status === 200 && isOfSize(headers['content-length'], blob);
}

/**
 * Whether the repository answers a HEAD by the absence of a blob, or by another size. False where HEAD is unsupported.
 *
 * @throws errors of the client
 */
export async function lacksBlob(
  scope: RepositoryScope,
  blob: Descriptor,
  options?: CallOptions,
): Promise<boolean> {
  const { status, headers } = await headBlob(scope, blob.digest, options);
  return status === 404 || (status === 200 && !isOfSize(headers['content-length'], blob));
}

function isOfSize(length: string | undefined, { size }: Descriptor): boolean {
  return length === undefined || Number(length) === size;
}

/** Asks for a blob by HEAD. The answer has status 200, or 404, 405 or 501. */
async function headBlob(
  scope: RepositoryScope,
  digest: Digest,
  options?: CallOptions,
): Promise<TransportResponse> {
  const request: ClientRequest = {
    method: 'HEAD',
    to: toPath(scope, `blobs/${digest}`),
    scope: scope.pull,
    reference: toName(scope, digest),
    signal: options?.signal,
  };
  const response = await scope.client.send(request);
  await drainBody(response);
  const { status, headers } = response;
  if (![200, 404, 405, 501].includes(status)) throw await scope.client.toUnexpected(request, response);
  const isNamed = headers['docker-content-digest'] !== undefined || headers['content-length'] !== undefined;
  if (status === 200 && !isNamed && isPageType(response)) throw toPageAnswer(response, request.reference);
  return response;
}

/** Whether the `Content-Range` of a `206` is exactly the rest of the blob from byte `from`. */
function isRestFrom(field: string | undefined, from: number, size: number): boolean {
  const match = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/.exec(field?.trim() ?? '');
  return (
    match !== null &&
    Number(match[1]) === from &&
    Number(match[2]) === size - 1 &&
    (match[3] === '*' || Number(match[3]) === size)
  );
}

/**
 * Sends one request for a blob from a position: a closed range, conditional on the validator of the first
 * answer. A part of another representation is discarded, and the complete blob is requested instead.
 *
 * @throws SVC-REG-005, SVC-REG-007 where the answer does not match the request, errors of the client
 */
export async function openBlob(
  scope: RepositoryScope,
  blob: Descriptor,
  range: RangeRequest,
): Promise<RangeAnswer> {
  const { from, etag, pace, signal } = range;
  const request: ClientRequest = {
    method: 'GET',
    to: toPath(scope, `blobs/${blob.digest}`),
    scope: scope.pull,
    headers:
      from === 0
        ? {}
        : {
            range: `bytes=${from}-${blob.size - 1}`,
            ...(etag === undefined ? {} : { 'if-range': etag }),
          },
    reference: toName(scope, blob.digest),
    signal,
  };
  const response = await scope.client.sendOnce(request);
  const { status, headers } = response;
  const wrong = (detail: Rule): SvcError => {
    dropBody(response);
    return svcError('SVC-REG-007', { reference: request.reference, detail });
  };
  if (status === 404) {
    await drainBody(response);
    throw toNotFound(scope, blob.digest);
  }
  if (status !== 200 && status !== 206) throw await scope.client.toUnexpected(request, response);
  if (status === 206 && from === 0)
    throw wrong(
      rule([
        'a partial answer to a request for the complete blob',
        fr`une réponse partielle à une demande du blob complet`,
      ]),
    );
  if (status === 206 && !isRestFrom(headers['content-range'], from, blob.size))
    throw wrong(
      rule(
        [
          'the answer is not the requested range {from}-{to}',
          fr`la réponse n’est pas la plage demandée {from}-{to}`,
        ],
        { from, to: blob.size - 1 },
      ),
    );
  const strong = headers.etag?.startsWith('"') ? headers.etag : undefined;
  if (status === 206 && etag !== undefined && strong !== undefined && strong !== etag) {
    dropBody(response);
    return openBlob(scope, blob, { from: 0, pace, signal });
  }
  const length = headers['content-length'];
  const due = status === 206 ? blob.size - from : blob.size;
  if (length !== undefined && Number(length) !== due)
    throw wrong(
      rule(['{length} bytes are announced instead of {due}', fr`{length} octets annoncés au lieu de {due}`], {
        length,
        due,
      }),
    );
  const first = status === 206 ? from : 0;
  return {
    from: first,
    etag: strong,
    disposable: true,
    body: codedBody(response, request.reference, signal, 'blob', { pace, from: first }),
  };
}

/** Bytes of progress after which the number of failures is reset. */
const progressWorth = 8 * 1024 * 1024;
/** Seconds of the whole cap after which it is reset: many transfers share the cap. */
const cappedSeconds = 4;

/**
 * Creates the rule for resuming a broken transfer: at most `retries` failures in a row, with an increasing wait in
 * milliseconds after each. Progress resets the number; under a cap, peers break off slow transfers, and less progress
 * is enough.
 */
export function toResumption(options: {
  readonly retries: number;
  readonly retryDelay?: number | undefined;
  readonly clock: Clock;
  readonly waits?: Waits | undefined;
  readonly onRetry: (error: unknown) => void;
  readonly limiter?: Pick<RateLimiter, 'rate'> | undefined;
}): MayResume {
  const patience = createPatience({ ...options, baseDelay: options.retryDelay });
  return async (error, progress, signal) => {
    const rate = options.limiter?.rate ?? 0;
    const worth = rate === 0 ? progressWorth : Math.min(progressWorth, rate * cappedSeconds);
    if (progress >= worth) patience.reset();
    return patience.mayRepeat(error, signal);
  };
}

/**
 * Streams a blob and resumes where a connection broke. Rejects when the first request fails; later errors are
 * errors of the stream. Destroying the stream ends the transfer at once.
 */
export async function streamBlob(
  blob: Descriptor,
  reference: string,
  open: (range: RangeRequest) => Promise<RangeAnswer>,
  mayResume: MayResume,
  options?: CallOptions,
): Promise<Readable> {
  const ending = new AbortController();
  const signal = options?.signal ? AbortSignal.any([options.signal, ending.signal]) : ending.signal;
  let passed = 0;
  let atFailure = 0;
  let etag: string | undefined;
  const pace = startPace(0);
  const judgeRange = createRangeRule();
  let mayRange = true;

  const reopen = async (): Promise<RangeAnswer> => {
    for (;;) {
      const from = mayRange ? passed : 0;
      try {
        return await open({ from, etag: from === 0 ? undefined : etag, pace, signal });
      } catch (error) {
        const verdict = from > 0 ? judgeRange(error) : 'other';
        if (verdict === 'restart') mayRange = false;
        if (verdict !== 'other') continue;
        const progress = passed - atFailure;
        atFailure = passed;
        if (!(await mayResume(error, progress, signal))) throw error;
      }
    }
  };

  async function* run(first: RangeAnswer): AsyncGenerator<Buffer, void, undefined> {
    let answer = first;
    for (;;) {
      etag = answer.etag ?? etag;
      // if the source starts from the beginning, bytes already delivered are skipped; the consumer verifies
      // the digest
      let toSkip = passed - answer.from;
      try {
        for await (const chunk of answer.body) {
          const rest = toSkip > 0 ? chunk.subarray(Math.min(toSkip, chunk.length)) : chunk;
          toSkip -= chunk.length - rest.length;
          passed += rest.length;
          if (passed > blob.size)
            throw svcError('SVC-REG-007', {
              reference,
              detail: rule(['more than {size} bytes were sent', fr`plus de {size} octets ont été envoyés`], {
                size: blob.size,
              }),
            });
          if (rest.length > 0) yield rest;
        }
        if (passed === blob.size) return;
        throw markTransient(
          svcError('SVC-REG-007', {
            reference,
            detail: rule(
              ['ended after {passed} of {size} bytes', fr`terminé après {passed} octets sur {size}`],
              { passed, size: blob.size },
            ),
          }),
        );
      } catch (error) {
        // a pause is no failure: the next request waits for its end
        if (!(error instanceof TransferPaused)) {
          const progress = passed - atFailure;
          atFailure = passed;
          if (!(await mayResume(error, progress, signal))) throw error;
        }
      }
      answer = await reopen();
      if (passed > 0) markResumed(stream);
    }
  }

  const chunks = run(await reopen());
  const stream: Readable = new Readable({
    highWaterMark: 1 << 20,
    read() {
      chunks.next().then(
        ({ done, value }) => this.push(done ? null : value),
        (error: Error) => this.destroy(error),
      );
    },
    destroy(error, done) {
      ending.abort();
      chunks.return().catch(() => {});
      done(error);
    },
  });
  return markDisposable(stream);
}
