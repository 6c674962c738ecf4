import type { Digest, DigestAlgorithm } from '../base/digest.ts';
import type { BlobWriter, Store } from './model.ts';

interface BlobWriterOptions {
  readonly algorithm?: DigestAlgorithm;
  /** In bytes, where it is known. */
  readonly size?: number;
  /** A large blob is written past the page cache of the kernel: for what is not soon read again. */
  readonly direct?: boolean;
}

/** @throws SVC-STO-002, SVC-STO-004, SVC-STO-005 */
export async function createBlobWriter(
  { core }: Store,
  { algorithm = 'sha256', size, direct }: BlobWriterOptions = {},
): Promise<BlobWriter> {
  await core.requireWritable();
  return core.files.createWriter(algorithm, size, direct);
}

/**
 * The path of a file that does not exist yet, on the volume of the store, for content that `takeFile` takes. The caller
 * that makes the file and does not hand it in removes it.
 *
 * @param size bytes that will be written
 * @throws SVC-STO-002, SVC-STO-004, SVC-STO-005
 */
export async function newTemporary({ core }: Store, size: number): Promise<string> {
  await core.requireWritable();
  return core.files.newTemporary(size);
}

/**
 * Takes a complete file on the volume of the store as a blob by renaming it.
 *
 * @param digest computed by the caller over every byte since the first
 * @param size in bytes
 * @throws SVC-STO-002
 */
export async function takeFile({ core }: Store, path: string, digest: Digest, size: number): Promise<void> {
  await core.requireWritable();
  await core.files.adopt(path, digest, size);
}
