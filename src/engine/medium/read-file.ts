import { type Digest, digestAlgorithm, hashBytes } from '../../base/digest.ts';
import { isSvcError, svcError } from '../../base/error.ts';
import { openGuarded } from '../../disk/guarded-open.ts';
import { blobPath } from '../../oci/layout.ts';

/**
 * A small blob of a medium in memory, opened where its name says, with the digest of the very bytes that are returned.
 *
 * @param limit bytes that are read at most; compared with the file's size before one is
 * @throws SVC-MED-012, SVC-MED-014
 */
export async function readMediumBlob(root: string, digest: Digest, limit: number): Promise<Buffer> {
  const path = blobPath(digest);
  let bytes: Buffer;
  try {
    const file = await openGuarded(root, path);
    try {
      const { size } = await file.stat();
      if (size > limit) throw svcError('SVC-MED-014', { path, detail: `larger than ${limit} bytes` });
      bytes = await file.readFile();
    } finally {
      await file.close();
    }
  } catch (cause) {
    if (isSvcError(cause, 'SVC-MED-014')) throw cause;
    const { code } = (isSvcError(cause) ? (cause.cause ?? {}) : cause) as NodeJS.ErrnoException;
    const detail = code ?? (isSvcError(cause) ? String(cause.params.detail ?? cause.code) : 'unreadable');
    throw svcError('SVC-MED-014', { path, detail }, { cause });
  }
  const actual = hashBytes(bytes, digestAlgorithm(digest));
  if (actual !== digest) throw svcError('SVC-MED-012', { path, expected: digest, actual });
  return bytes;
}
