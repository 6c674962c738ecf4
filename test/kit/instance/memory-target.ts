import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Digest } from '../../../src/base/digest.ts';
import type { Descriptor } from '../../../src/oci/descriptor.ts';
import { parseManifest } from '../../../src/oci/manifest.ts';
import type { ManifestContent, ReferrersLister, Source, TagLister, Target } from '../../../src/oci/ports.ts';
import { svcError } from '../../../src/text/error.ts';

export interface MemoryTarget extends Source, Target, TagLister, ReferrersLister {
  readonly blobs: Map<Digest, Buffer>;
  readonly manifests: Map<Digest, ManifestContent>;
  readonly tags: Map<string, Digest>;
  /** The calls in order: `put blob sha256:…`, `get manifest …`. */
  readonly calls: string[];
}

/** One repository in memory through every port, which keeps content only when the digest is right. */
export function createMemoryTarget(): MemoryTarget {
  const blobs = new Map<Digest, Buffer>();
  const manifests = new Map<Digest, ManifestContent>();
  const tags = new Map<string, Digest>();
  const calls: string[] = [];
  const find = (reference: string) => manifests.get((tags.get(reference) ?? reference) as Digest);
  const hash = (digest: Digest, bytes: Buffer) => {
    const [algorithm] = digest.split(':') as [string];
    const actual = `${algorithm}:${createHash(algorithm).update(bytes).digest('hex')}`;
    if (actual !== digest) throw svcError('SVC-SIG-002', { reference: digest, expected: digest, actual });
  };
  return {
    blobs,
    manifests,
    tags,
    calls,
    resolve: async (reference) => {
      calls.push(`resolve ${reference}`);
      return find(reference)?.descriptor;
    },
    fetchManifest: async (reference) => {
      calls.push(`get manifest ${reference}`);
      return find(reference);
    },
    fetchBlob: async (blob) => {
      calls.push(`get blob ${blob.digest}`);
      const bytes = blobs.get(blob.digest);
      if (!bytes) throw svcError('SVC-REG-005', { reference: blob.digest });
      return Readable.from([bytes]);
    },
    hasBlob: async (blob) => blobs.has(blob.digest),
    hasManifest: async (digest) => manifests.has(digest),
    pushBlob: async (blob, from, { onBytes } = {}) => {
      const bytes = await buffer(from);
      hash(blob.digest, bytes);
      onBytes?.(bytes.length);
      calls.push(`put blob ${blob.digest}`);
      blobs.set(blob.digest, bytes);
    },
    pushManifest: async (reference, content) => {
      const { digest } = content.descriptor;
      hash(digest, content.bytes);
      const manifest = parseManifest(content.bytes, content.descriptor.mediaType);
      if (manifest.kind === 'image') {
        for (const { digest: needed } of [manifest.config, ...manifest.layers])
          if (!blobs.has(needed)) throw new Error(`${needed} is missing`);
      }
      calls.push(`put manifest ${reference}`);
      manifests.set(digest, content);
      if (reference !== digest) tags.set(reference, digest);
    },
    listTags: async () => [...tags.keys()],
    listReferrers: async (subject) => {
      const found: Descriptor[] = [];
      for (const { descriptor, bytes } of manifests.values())
        if (parseManifest(bytes).subject?.digest === subject) found.push(descriptor);
      return found;
    },
  };
}
