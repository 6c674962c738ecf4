import { type Digest, digestAlgorithm, hashBytes } from '../../base/digest.ts';
import { readWhole } from '../../disk/plain-file.ts';
import type { Store } from '../../store/model.ts';
import { openBlob } from '../../store/open-blob.ts';
import { svcError } from '../../text/error.ts';

/**
 * Reads a small blob of the store, and hashes it.
 *
 * @param size bytes
 * @throws SVC-SIG-002 for other bytes, SVC-STO-001 when it is absent or unreadable
 */
export type ReadSmallBlob = (digest: Digest, size: number) => Promise<Buffer>;

/** Bytes of small blobs that are kept at most. */
const keptBytes = 16 << 20;

/** Reads small blobs of a delivery once for all of its disks, which have the same documents. */
export function openSmallBlobs(store: Store): ReadSmallBlob {
  const kept = new Map<Digest, Buffer>();
  let left = keptBytes;
  return async (digest, size) => {
    const known = kept.get(digest);
    if (known !== undefined) return known;
    const opened = await openBlob(store, digest);
    try {
      const bytes = await readWhole(opened.file, opened.size);
      const actual = hashBytes(bytes, digestAlgorithm(digest));
      if (actual !== digest || bytes.length !== size)
        throw svcError('SVC-SIG-002', { reference: digest, expected: digest, actual });
      if (size <= left) {
        left -= size;
        kept.set(digest, bytes);
      }
      return bytes;
    } finally {
      await opened.file.close();
    }
  };
}
