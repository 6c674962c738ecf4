import { TransferPaused } from '../../base/link/gate.ts';
import { chunksOf } from '../../base/stream/chunks-of.ts';
import { isSvcError, type SvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import type { TransferPace, TransportResponse } from '../model.ts';
import { toBrokenTransfer } from './failure.ts';
import { markTransient } from './transience.ts';

/** Milliseconds for reading a body that is not needed, or the text of a refusal. */
const drainTimeout = 5000;

/**
 * Minimum average bytes a second after the pace timeout. The stall timeout detects only silence: single bytes
 * could hold a run for years. A document must be faster than a blob, since the run waits for it, while a blob
 * delays one transfer.
 */
const leastPace = { document: 16_384, blob: 1_024 } as const;

/** Discards a response; its connection is closed unless the body was received completely. */
export function dropBody(response: TransportResponse): void {
  response.body.destroy();
}

/** Reads the rest of an unneeded answer, within limits, so that its connection can be reused. */
export async function drainBody(response: TransportResponse): Promise<void> {
  let seen = 0;
  const timer = setTimeout(() => dropBody(response), drainTimeout);
  try {
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      seen += chunk.length;
      if (seen > 65_536) break;
    }
  } catch {
    // the status was sufficient; the body is not needed
  } finally {
    clearTimeout(timer);
  }
}

/** Milliseconds of a slow body that are not recorded: the time until the first bytes is no fault. */
const slowTolerance = 1000;

/** The position of a body in the transfer of a blob. */
interface TransferPart {
  readonly pace: TransferPace;
  /** First byte of the body. */
  readonly from: number;
}

/** Starts the measurement of a transfer, of which some bytes may be there. */
export const startPace = (begun: number): TransferPace => ({ waited: 0, begun, reached: begun });

/**
 * Yields the bytes of a response. Time in which the consumer requests none does not count for their rate.
 *
 * @param part where the body is one of several answers for one blob, whose rate is limited over all of them
 * @throws SVC-REG-007 where the transfer breaks off or is too slow; the signal's reason where it was aborted;
 *   `TransferPaused` where the blob is to go on later
 */
export async function* codedBody(
  response: TransportResponse,
  reference: string,
  signal?: AbortSignal,
  kind: keyof typeof leastPace = 'blob',
  part?: TransferPart,
): AsyncGenerator<Buffer, void, undefined> {
  const { limiter } = response;
  const isDocument = kind === 'document';
  // bytes that wait for a turn of the cap should wait at the peer, and not here
  const isHeld = limiter !== undefined && limiter.rate > 0 && !isDocument;
  const chunks = chunksOf(response.body, isHeld ? 1 : undefined);
  const toTime = (bytes: number): number => (bytes * 1000) / leastPace[kind];
  let ended = false;
  let waited = 0;
  let received = 0;
  const count = (time: number, bytes: number): void => {
    waited += time;
    received += bytes;
    if (!part) return;
    part.pace.waited += time;
    part.pace.reached = Math.max(part.pace.reached, part.from + received);
  };
  try {
    for (;;) {
      // only a blob goes on later from where it was
      if (part !== undefined && response.gate?.isOpen === false) throw new TransferPaused();
      let next: IteratorResult<Buffer>;
      const asked = performance.now();
      try {
        next = await chunks.next();
      } catch (error) {
        signal?.throwIfAborted();
        count(performance.now() - asked, 0);
        requireTotalPace(response, reference, part, toTime);
        throw toBrokenTransfer(error, reference);
      }
      count(performance.now() - asked, next.done ? 0 : next.value.length);
      if (next.done) {
        ended = true;
        return;
      }
      requireTotalPace(response, reference, part, toTime);
      if (waited > response.paceTimeout + toTime(received))
        throw markTransient(toTrickle(reference, received, waited));
      // no promise without a cap: an await would cost each chunk a turn
      const turn = limiter?.take(next.value.length, 'received', { signal, isDocument });
      if (turn !== undefined) await turn;
      yield next.value;
    }
  } finally {
    if (!ended) dropBody(response);
    const slow = waited - toTime(received);
    if (slow > slowTolerance || slow > response.paceTimeout) response.onSlow?.(slow);
  }
}

/** @throws SVC-REG-007, not transient, when the answers of a transfer were too slow together */
function requireTotalPace(
  { totalTimeout }: TransportResponse,
  reference: string,
  part: TransferPart | undefined,
  toTime: (bytes: number) => number,
): void {
  if (!part) return;
  const { waited, begun, reached } = part.pace;
  if (waited > totalTimeout + toTime(reached - begun)) throw toTrickle(reference, reached - begun, waited);
}

/** The error for a body that is too slow. Another connection may be faster. */
function toTrickle(reference: string, received: number, waited: number): SvcError {
  const detail = rule(
    ['only {received} bytes arrived in {time} s', fr`seulement {received} octets reçus en {time} s`],
    { received, time: Math.round(waited / 1000) },
  );
  return svcError('SVC-REG-007', { reference, detail });
}

/**
 * Yields the bytes of a response of at most `limit` bytes.
 *
 * @param reference names the document in errors
 * @throws SVC-VAL-002 beyond the limit, before more is read; SVC-REG-007 where the transfer breaks off or is
 *   too slow
 */
export async function* boundedBody(
  response: TransportResponse,
  limit: number,
  reference: string,
  signal?: AbortSignal,
): AsyncGenerator<Buffer, void, undefined> {
  const tooLarge = () => svcError('SVC-VAL-002', { limit, file: reference });
  if (Number(response.headers['content-length']) > limit) {
    dropBody(response);
    throw tooLarge();
  }
  let size = 0;
  for await (const chunk of codedBody(response, reference, signal, 'document')) {
    size += chunk.length;
    if (size > limit) throw tooLarge();
    yield chunk;
  }
}

/**
 * Reads a body of at most `limit` bytes into memory.
 *
 * @param look called with each chunk; an error that it throws ends the reading
 * @throws errors of `boundedBody` and `look`
 */
export async function readBody(
  response: TransportResponse,
  limit: number,
  reference: string,
  signal?: AbortSignal,
  look?: (chunk: Buffer) => void,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of boundedBody(response, limit, reference, signal)) {
    look?.(chunk);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Reads the text of a refusal, at most 64 KiB; empty when it cannot be read. */
export async function readRefusal(response: TransportResponse): Promise<string> {
  const timer = setTimeout(() => dropBody(response), drainTimeout);
  try {
    return (await readBody(response, 65_536, response.url.host)).toString('utf8');
  } catch (error) {
    if (isSvcError(error)) return '';
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
