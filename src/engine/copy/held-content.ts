import { Readable } from 'node:stream';
import { type Digest, hashBytes } from '../../base/digest.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import { parseManifest } from '../../oci/manifest.ts';
import { isImageType, isIndexType } from '../../oci/media-types.ts';
import type { CallOptions, ManifestContent, Source } from '../../oci/ports.ts';
import type { FoundSignatures } from '../../trust/discover.ts';

const limit = 64 << 20;

/**
 * Small content that is read while planning and needed again while copying: manifests, recipe documents,
 * signature payloads. Limited to 64 MiB; content that no longer fits is read from its source again.
 */
export class HeldContent {
  readonly #manifests = new Map<Digest, ManifestContent>();
  readonly #blobs = new Map<Digest, Buffer>();
  #bytes = 0;

  holdManifest(content: ManifestContent): void {
    const { digest } = content.descriptor;
    if (this.#manifests.has(digest)) return;
    this.#manifests.set(digest, content);
    this.#bytes += content.bytes.length;
    this.#shed();
  }

  /** @param bytes must have been verified against the digest */
  holdBlob(digest: Digest, bytes: Buffer): void {
    if (this.#blobs.has(digest)) return;
    this.#blobs.set(digest, bytes);
    this.#bytes += bytes.length;
    this.#shed();
  }

  manifest(digest: string): ManifestContent | undefined {
    return this.#manifests.get(digest as Digest);
  }

  blob(digest: Digest): Buffer | undefined {
    return this.#blobs.get(digest);
  }

  #shed(): void {
    for (const [digest, bytes] of this.#blobs) {
      if (this.#bytes <= limit) return;
      this.#blobs.delete(digest);
      this.#bytes -= bytes.length;
    }
    for (const [digest, { bytes }] of this.#manifests) {
      if (this.#bytes <= limit) return;
      this.#manifests.delete(digest);
      this.#bytes -= bytes.length;
    }
  }
}

/** Holds the bytes of signatures, so that the bytes verified are the bytes carried. */
export function holdSignatures(held: HeldContent, { evidence }: Pick<FoundSignatures, 'evidence'>): void {
  for (const { manifest, layers } of evidence) {
    held.holdManifest(manifest);
    for (const { bytes } of layers) held.holdBlob(hashBytes(bytes), bytes);
  }
}

/**
 * Whether the announced type of a manifest agrees with its bytes. The digest does not cover that type. A false one from
 * one source must not reach recipes that name another source.
 */
function isTypedByBytes({ bytes, descriptor: { mediaType } }: ManifestContent): boolean {
  if (!isImageType(mediaType) && !isIndexType(mediaType)) return true;
  try {
    return parseManifest(bytes).mediaType === mediaType;
  } catch {
    return false;
  }
}

/** A source that returns held content first, reads the rest from `source`, and holds its manifests. */
export function withHeld<S extends Source>(source: S, held: HeldContent): Source {
  return {
    isNear: (digest) => held.manifest(digest) !== undefined || source.isNear?.(digest) === true,
    resolve: (reference: string, options?: CallOptions) => source.resolve(reference, options),
    fetchManifest: async (reference: string, options?: CallOptions) => {
      const known = held.manifest(reference);
      if (known) return known;
      const content = await source.fetchManifest(reference, options);
      // content read by tag is not held: its bytes were not requested by digest
      if (content && content.descriptor.digest === reference && isTypedByBytes(content))
        held.holdManifest(content);
      return content;
    },
    fetchBlob: async (blob: Descriptor, options?: CallOptions) => {
      const bytes = held.blob(blob.digest);
      return bytes ? Readable.from([bytes]) : source.fetchBlob(blob, options);
    },
  };
}
