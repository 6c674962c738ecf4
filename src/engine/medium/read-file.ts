import { type Digest, digestAlgorithm, hashBytes } from '../../base/digest.ts';
import { FileStream } from '../../disk/file-stream.ts';
import { openGuarded, openGuardedFile } from '../../disk/guarded-open.ts';
import { isOwnFault } from '../../disk/read-error.ts';
import { blobPath } from '../../oci/layout.ts';
import { isSvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { textParam } from '../../text/text-param.ts';
import type { MediumFiles } from './judge-file.ts';

/** Why a file cannot be read, where nothing says more. */
export const unreadable = rule(['unreadable', fr`illisible`]);

/** Access to the bytes of a medium: small files in memory, as they were hashed, others below its root. */
export type HashedFiles = Pick<MediumFiles, 'root' | 'outcome'>;

/**
 * Reads a small blob of a medium and verifies the returned bytes: those kept when the file was hashed, or the file read
 * again.
 *
 * @param limit maximum in bytes; compared with the size of the file before it is read
 * @throws SVC-MED-012, SVC-MED-014; SVC-STO-014 when descriptors or memory ran out, and SVC-STO-001 when this
 *   user has no permission, which are no faults of the medium
 */
export async function readMediumBlob(files: HashedFiles, digest: Digest, limit: number): Promise<Buffer> {
  const path = blobPath(digest);
  const kept = keptBytesOf(files, digest);
  if (kept !== undefined && kept.length <= limit) return kept;
  let bytes: Buffer;
  try {
    const file = await openGuarded(files.root, path);
    try {
      const { size } = await file.stat();
      if (size > limit)
        throw svcError('SVC-MED-014', {
          path,
          detail: rule(['larger than {limit} bytes', fr`plus de {limit} octets`], { limit }),
        });
      bytes = await file.readFile();
    } finally {
      await file.close();
    }
  } catch (cause) {
    if (isSvcError(cause, 'SVC-MED-014') || isOwnFault(cause)) throw cause;
    const { code } = (isSvcError(cause) ? (cause.cause ?? {}) : cause) as NodeJS.ErrnoException;
    const detail = code ?? (isSvcError(cause) ? (textParam(cause, 'detail') ?? cause.code) : unreadable);
    throw svcError('SVC-MED-014', { path, detail }, { cause });
  }
  const actual = hashBytes(bytes, digestAlgorithm(digest));
  if (actual !== digest) throw svcError('SVC-MED-012', { path, expected: digest, actual });
  return bytes;
}

/** The bytes of a blob that were kept when its file was hashed. */
export function keptBytesOf(files: HashedFiles, digest: Digest): Buffer | undefined {
  const outcome = files.outcome(blobPath(digest));
  if (!outcome || !('bytes' in outcome) || !outcome.bytes || outcome.digest !== digest) return undefined;
  const { buffer, byteOffset, length } = outcome.bytes;
  return Buffer.from(buffer, byteOffset, length);
}

/**
 * Opens a file of a medium again to read its bytes, where it still has its size: nothing of another file is read.
 *
 * @param size bytes that a verified document or the medium lists
 * @throws SVC-MED-011; errors of opening
 */
export async function openSizedFile(
  root: string,
  path: string,
  size: number,
  signal?: AbortSignal,
): Promise<FileStream> {
  const { file, size: actual } = await openGuardedFile(root, path);
  if (actual === size) return new FileStream(file, size, signal);
  await file.close();
  throw svcError('SVC-MED-011', { path, expected: size, actual });
}
