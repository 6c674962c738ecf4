import type { Digest } from '../../base/digest.ts';
import type { Store } from '../../store/model.ts';
import { createBlobWriter } from '../../store/write-blob.ts';

/**
 * Stores a file whose digest is known only at its end. No tag reaches it yet.
 *
 * @param onBytes called with the number of bytes of each chunk written
 * @throws SVC-STO-00x, errors of the input
 */
export async function putArchive(
  store: Store,
  bytes: AsyncIterable<Buffer>,
  onBytes: (count: number) => void,
): Promise<{ readonly digest: Digest; readonly size: number }> {
  const writer = await createBlobWriter(store);
  try {
    for await (const chunk of bytes) {
      const { length } = chunk;
      await writer.write(chunk);
      onBytes(length);
    }
    return await writer.commit();
  } finally {
    await writer.abort();
  }
}
