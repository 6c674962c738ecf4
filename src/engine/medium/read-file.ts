import { type Digest, digestAlgorithm, hashBytes } from '../../base/digest.ts';
import { isSvcError, svcError } from '../../base/error.ts';
import { openGuarded } from '../../disk/guarded-open.ts';
import { isOutOfResources } from '../../disk/read-error.ts';
import { blobPath } from '../../oci/layout.ts';
import type { MediumFiles } from './judge-file.ts';

/** Where the bytes of a medium are: in memory for small files, where they were hashed, else below its root. */
export type HashedFiles = Pick<MediumFiles, 'root' | 'outcome'>;

/**
 * A small blob of a medium in memory, with the digest of the very bytes that are returned: those that were hashed, or
 * else read again where its name says.
 *
 * @param limit bytes that are read at most; compared with the file's size before one is
 * @throws SVC-MED-012, SVC-MED-014; SVC-STO-014 when descriptors or memory ran out, which says nothing about the medium
 */
export async function readMediumBlob(files: HashedFiles, digest: Digest, limit: number): Promise<Buffer> {
  const path = blobPath(digest);
  const outcome = files.outcome(path);
  if (outcome && 'bytes' in outcome && outcome.digest === digest) {
    const { buffer, byteOffset, length } = outcome.bytes;
    if (length <= limit) return Buffer.from(buffer, byteOffset, length);
  }
  let bytes: Buffer;
  try {
    const file = await openGuarded(files.root, path);
    try {
      const { size } = await file.stat();
      if (size > limit) throw svcError('SVC-MED-014', { path, detail: `larger than ${limit} bytes` });
      bytes = await file.readFile();
    } finally {
      await file.close();
    }
  } catch (cause) {
    if (isSvcError(cause, 'SVC-MED-014') || isOutOfResources(cause)) throw cause;
    const { code } = (isSvcError(cause) ? (cause.cause ?? {}) : cause) as NodeJS.ErrnoException;
    const detail = code ?? (isSvcError(cause) ? String(cause.params.detail ?? cause.code) : 'unreadable');
    throw svcError('SVC-MED-014', { path, detail }, { cause });
  }
  const actual = hashBytes(bytes, digestAlgorithm(digest));
  if (actual !== digest) throw svcError('SVC-MED-012', { path, expected: digest, actual });
  return bytes;
}
