import type { FileHandle } from 'node:fs/promises';
import type { Digest } from '../base/digest.ts';
import { isSvcError } from '../base/error.ts';
import type { ManifestChange } from '../catalog/content-records.ts';
import { openGuardedFile } from '../disk/guarded-open.ts';
import { isTransient, toReadError } from '../disk/read-error.ts';
import { readWhole } from '../disk/read-whole.ts';
import { toUnread } from '../disk/threads/hash-paced.ts';
import { blobPath } from '../oci/layout.ts';
import { type Manifest, ManifestError, manifestLimits } from '../oci/manifest.ts';
import { judgeBlob } from './blobs/judge-blob.ts';
import { parseContent, toFacts } from './put-manifest.ts';

export interface FoundManifest {
  readonly manifest: Manifest;
  /** Nothing is said of the bytes of what it names: that is hashed when it is first needed. */
  readonly facts: ManifestChange & { readonly unverified: true };
}

/**
 * What a blob file says as a manifest.
 *
 * @param root real path of the store
 * @param isFound whether a file of this name is among the blobs
 * @param announced its media type by somebody's word, for a document that does not say its own
 * @returns undefined when its bytes are no manifest, or are not those of the digest; also when the file is gone
 * @throws SVC-STO-001, SVC-STO-014 when it cannot be read for a reason that is not the file's
 */
export async function readFacts(
  root: string,
  digest: Digest,
  isFound: (digest: Digest) => boolean,
  announced = '',
): Promise<FoundManifest | undefined> {
  const bytes = await readCandidate(root, digest);
  if (bytes === undefined) return undefined;
  for (const mediaType of new Set([announced, ''])) {
    try {
      const content = { bytes, descriptor: { mediaType, digest, size: bytes.length } };
      const manifest = parseContent(content);
      return { manifest, facts: { ...toFacts(manifest, content, isFound), unverified: true } };
    } catch (error) {
      if (isSvcError(error, 'SVC-SIG-002')) return undefined;
      if (!(error instanceof ManifestError)) throw error;
    }
  }
  return undefined;
}

/** @returns undefined when it is plain before all bytes are read that they are no manifest */
async function readCandidate(root: string, digest: Digest): Promise<Buffer | undefined> {
  const path = blobPath(digest);
  let file: FileHandle | undefined;
  try {
    const opened = await openGuardedFile(root, path);
    file = opened.file;
    if (opened.size > manifestLimits.bytes) return undefined;
    // most blobs show in one byte that they are none
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, 0);
    return /[{\s]/.test(buffer.toString('latin1')) ? await readWhole(file, opened.size) : undefined;
  } catch (error) {
    if (!isTransient(error) && judgeBlob(digest, toUnread(error)) !== 'unreadable') return undefined;
    throw toReadError(error, path);
  } finally {
    await file?.close();
  }
}
