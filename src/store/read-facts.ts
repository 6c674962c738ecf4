import type { FileHandle } from 'node:fs/promises';
import type { Digest } from '../base/digest.ts';
import type { ManifestChange } from '../catalog/content-records.ts';
import { openGuardedFile } from '../disk/guarded-open.ts';
import { readWhole } from '../disk/plain-file.ts';
import { isTransient, toReadError } from '../disk/read-error.ts';
import { toUnread } from '../disk/threads/hash-paced.ts';
import { blobPath } from '../oci/layout.ts';
import { type Manifest, ManifestError, manifestLimits } from '../oci/manifest.ts';
import { isSvcError } from '../text/error.ts';
import { judgeBlob } from './blobs/judge-blob.ts';
import type { OpenStoreOptions } from './model.ts';
import { parseContent, toFacts } from './put-manifest.ts';

export interface FoundManifest {
  readonly manifest: Manifest;
  /** Not vouched for: the blobs and children are hashed when they are first needed. */
  readonly facts: ManifestChange & { readonly unverified: true };
}

/**
 * Reads a blob file as a manifest.
 *
 * @param root real path of the store
 * @param isFound whether a blob file with this name exists
 * @param options.announced the media type from an unverified source, for a document without its own
 * @returns undefined when the file is absent, does not match its digest, or is not a manifest
 * @throws SVC-STO-001, SVC-STO-014 when it cannot be read for a reason outside the file
 */
export async function readFacts(
  root: string,
  digest: Digest,
  isFound: (digest: Digest) => boolean,
  {
    announced = '',
    bytesOf,
  }: { readonly announced?: string | undefined } & Pick<OpenStoreOptions, 'bytesOf'> = {},
): Promise<FoundManifest | undefined> {
  const bytes = bytesOf?.(digest) ?? (await readCandidate(root, digest));
  if (bytes === undefined) return undefined;
  for (const mediaType of new Set([announced, ''])) {
    try {
      const content = { bytes, descriptor: { mediaType, digest, size: bytes.length } };
      const manifest = await parseContent(content);
      return { manifest, facts: { ...toFacts(manifest, content, isFound), unverified: true } };
    } catch (error) {
      if (isSvcError(error, 'SVC-SIG-002')) return undefined;
      if (!(error instanceof ManifestError)) throw error;
    }
  }
  return undefined;
}

/** @returns undefined when the size or the first byte shows that the file is not a manifest */
async function readCandidate(root: string, digest: Digest): Promise<Buffer | undefined> {
  const path = blobPath(digest);
  let file: FileHandle | undefined;
  try {
    const opened = await openGuardedFile(root, path);
    file = opened.file;
    if (opened.size > manifestLimits.bytes) return undefined;
    // the first byte excludes most blobs
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, 0);
    return /[{\s]/.test(buffer.toString('latin1')) ? await readWhole(file, opened.size) : undefined;
  } catch (error) {
    if (!isTransient(error) && judgeBlob(digest, toUnread(error)) !== 'unreadable') return undefined;
    throw toReadError(error, path);
  } finally {
    await file?.close();
  }
}
