import type { Digest } from '../base/digest.ts';
import { verifiedChunks } from '../base/stream/verified.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import { ManifestError } from '../oci/manifest.ts';
import { parseManifestInTurns } from '../oci/parse-in-turns.ts';
import type { BlobFetcher, CallOptions } from '../oci/ports.ts';
import { isSvcError } from '../text/error.ts';
import type { SignatureEvidence } from './model.ts';
import { isSignatureSized } from './select-carried.ts';

/**
 * Whether a bundle can be carried: its manifest refers to the subject, the search has all its layers, and the source has its
 * config.
 *
 * @throws errors of a source that does not answer
 */
export async function isWholeBundle(
  { manifest: content, layers }: SignatureEvidence,
  subject: Digest,
  source: BlobFetcher,
  options: CallOptions,
): Promise<boolean> {
  try {
    const manifest = await parseManifestInTurns(content.bytes, content.descriptor.mediaType);
    if (!isSignatureSized(manifest) || manifest.subject?.digest !== subject) return false;
    if (!manifest.layers.every(({ size }, i) => layers[i]?.bytes.length === size)) return false;
    return await hasBlob(manifest.config, source, options);
  } catch (error) {
    if (error instanceof ManifestError) return false;
    throw error;
  }
}

/** Reads a blob of at most the size of a signature, which was checked. */
async function hasBlob(blob: Descriptor, source: BlobFetcher, options: CallOptions): Promise<boolean> {
  try {
    const chunks = verifiedChunks(await source.fetchBlob(blob, options), blob);
    for await (const _chunk of chunks);
    return true;
  } catch (error) {
    options.signal?.throwIfAborted();
    if (isSvcError(error, 'SVC-REG-005') || isSvcError(error, 'SVC-SIG-002')) return false;
    throw error;
  }
}
