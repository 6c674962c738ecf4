import type { Readable } from 'node:stream';
import { isSvcError } from '../../text/error.ts';

const resumed = new WeakSet<Readable>();

/** Marks a stream whose bytes come from more than one answer of their source. */
export function markResumed(stream: Readable): void {
  resumed.add(stream);
}

/**
 * Uses a stream whose content is verified by its digest. Bytes of several answers may not belong together: if their
 * digest differs, a fresh download is used once before the content is judged.
 *
 * @param use called a second time if the content of a resumed stream had another digest
 * @throws the errors of opening and using the stream
 */
export async function takeVerified<T>(
  open: () => Promise<Readable>,
  use: (stream: Readable) => Promise<T>,
): Promise<T> {
  const stream = await open();
  try {
    return await use(stream);
  } catch (error) {
    if (!isSvcError(error, 'SVC-SIG-002') || !resumed.has(stream)) throw error;
    return await use(await open());
  }
}
