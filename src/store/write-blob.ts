import type { Digest, DigestAlgorithm } from '../base/digest.ts';
import type { BlobWriter, Store } from './model.ts';

interface BlobWriterOptions {
  readonly algorithm?: DigestAlgorithm;
  /** Size in bytes, where it is known. */
  readonly size?: number;
  /** Write a large blob without the page cache of the kernel: for content that is not read again soon. */
  readonly direct?: boolean;
}

/** Opens a writer for one blob. @throws SVC-STO-002, SVC-STO-004, SVC-STO-005 */
export async function createBlobWriter(
  { core }: Store,
  { algorithm = 'sha256', size, direct }: BlobWriterOptions = {},
): Promise<BlobWriter> {
  await core.requireWritable();
  return core.files.createWriter(algorithm, size, direct);
}

/**
 * Reserves the path of a file for `takeFile`, on the volume of the store. The file does not exist yet. A
 * caller that creates the file and does not pass it to `takeFile` must remove it.
 *
 * @param size bytes that will be written
 * @throws SVC-STO-002, SVC-STO-004, SVC-STO-005
 */
export async function newTemporary({ core }: Store, size: number): Promise<string> {
  await core.requireWritable();
  return core.files.newTemporary(size);
}

/**
 * Adds a complete file as a blob by renaming it. The file must be on the volume of the store.
 *
 * @param digest computed by the caller over all bytes of the file
 * @param size in bytes
 * @throws SVC-STO-002
 */
export async function takeFile({ core }: Store, path: string, digest: Digest, size: number): Promise<void> {
  await core.requireWritable();
  await core.files.adopt(path, digest, size);
}
