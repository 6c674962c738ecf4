import { isSvcError, type SvcError, svcError } from '../../base/error.ts';
import { chunksOf } from '../../base/stream/chunks-of.ts';
import type { TransportResponse } from '../model.ts';
import { toBrokenTransfer } from './failure.ts';
import { markTransient } from './transience.ts';

/** Milliseconds for what is read only to be polite, or to tell what a refusal says: the watchdog knows only silence. */
const patience = 5000;

/**
 * Bytes a second that an answer must have come with on the average, once its time to come as it likes is over: the
 * watchdog knows only silence, and a byte now and then would hold a run for years. A document holds up the whole of a
 * run, and is small; a blob holds up one lane of it.
 */
const leastPace = { document: 16_384, blob: 1_024 } as const;

/** Gives a response up; its connection is closed unless everything has arrived. */
export function dropBody(response: TransportResponse): void {
  response.body.destroy();
}

/** Reads what is left of an answer nobody needs, so that its connection can be used again; bounded in bytes and time. */
export async function drainBody(response: TransportResponse): Promise<void> {
  let seen = 0;
  const timer = setTimeout(() => dropBody(response), patience);
  try {
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      seen += chunk.length;
      if (seen > 65_536) break;
    }
  } catch {
    // the answer has already been understood from its status
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The bytes of a response as they arrive. Time in which nobody asks for them does not count against their pace.
 *
 * @throws SVC-REG-007 where the transfer breaks off or only trickles; the signal's reason where it was aborted
 */
export async function* codedBody(
  response: TransportResponse,
  reference: string,
  signal?: AbortSignal,
  kind: keyof typeof leastPace = 'blob',
): AsyncGenerator<Buffer, void, undefined> {
  const chunks = chunksOf(response.body);
  let ended = false;
  let waited = 0;
  let received = 0;
  try {
    for (;;) {
      let next: IteratorResult<Buffer>;
      const asked = performance.now();
      try {
        next = await chunks.next();
      } catch (error) {
        signal?.throwIfAborted();
        throw toBrokenTransfer(error, reference);
      }
      if (next.done) {
        ended = true;
        return;
      }
      waited += performance.now() - asked;
      received += next.value.length;
      if (waited > response.paceTimeout + (received * 1000) / leastPace[kind]) {
        response.onTrickle?.();
        throw toTrickle(reference, received, waited);
      }
      yield next.value;
    }
  } finally {
    if (!ended) dropBody(response);
  }
}

/** Another connection may be faster. */
function toTrickle(reference: string, received: number, waited: number): SvcError {
  const detail = `only ${received} bytes came in ${Math.round(waited / 1000)} s`;
  return markTransient(svcError('SVC-REG-007', { reference, detail }));
}

/**
 * The bytes of a response of at most `limit` bytes, as they arrive.
 *
 * @param reference names the document in errors
 * @throws SVC-VAL-002 beyond the limit, before more is read; SVC-REG-007 where the transfer breaks off or trickles
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
 * Reads a whole body of at most `limit` bytes.
 *
 * @param look sees each part as it arrives; what it throws ends the reading
 * @throws as `boundedBody`
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

/** The first bytes of an answer as text, for what a refusal says; empty when it says nothing. */
export async function readRefusal(response: TransportResponse): Promise<string> {
  const timer = setTimeout(() => dropBody(response), patience);
  try {
    return (await readBody(response, 65_536, response.url.host)).toString('utf8');
  } catch (error) {
    if (isSvcError(error)) return '';
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
