import { chunksOf } from '../base/chunks-of.ts';
import { isSvcError, svcError } from '../base/error.ts';
import { toBrokenTransfer } from './failure.ts';
import type { TransportResponse } from './model.ts';

/** Milliseconds for what is read only to be polite, or to tell what a refusal says: the watchdog knows only silence. */
const patience = 5000;

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
 * The bytes of a response as they arrive.
 *
 * @throws SVC-REG-007 where the transfer breaks off; the signal's reason where it was aborted
 */
export async function* codedBody(
  response: TransportResponse,
  reference: string,
  signal?: AbortSignal,
): AsyncGenerator<Buffer, void, undefined> {
  const chunks = chunksOf(response.body);
  let ended = false;
  try {
    for (;;) {
      let next: IteratorResult<Buffer>;
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
      yield next.value;
    }
  } finally {
    if (!ended) dropBody(response);
  }
}

/**
 * The bytes of a response of at most `limit` bytes, as they arrive.
 *
 * @param reference names the document in errors
 * @throws SVC-VAL-002 beyond the limit, before more is read; SVC-REG-007 where the transfer breaks off
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
  for await (const chunk of codedBody(response, reference, signal)) {
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
