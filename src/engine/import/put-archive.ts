import type { Digest } from '../../base/digest.ts';
import type { Store } from '../../store/model.ts';
import { createBlobWriter } from '../../store/write-blob.ts';

/**
 * Takes a file whose digest shows only at its end into the store. Nothing reaches it yet.
 *
 * @param onBytes told of the bytes as they are taken
 * @throws SVC-STO-00x, and what the bytes throw
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
