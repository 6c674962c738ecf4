import { createCipheriv, createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { type Digest, type DigestAlgorithm, hashBytes } from '../../../src/base/digest.ts';
import type { Descriptor } from '../../../src/oci/descriptor.ts';
import { mediaTypes } from '../../../src/oci/media-types.ts';
import type { BlobPusher, ManifestContent, ManifestPusher } from '../../../src/oci/ports.ts';

export interface Blob {
  readonly descriptor: Descriptor;
  readonly bytes: Buffer;
}

/** An artifact with everything it reaches; children before parents when it is put. */
export interface Artifact {
  readonly manifest: ManifestContent;
  /** Child manifests of an index, by platform (`os/arch`). */
  readonly children: readonly { readonly platform: string; readonly artifact: Artifact }[];
  /** Blobs of this very manifest. */
  readonly blobs: readonly Blob[];
}

/** Bytes that depend on the seed only, and do not compress: a key stream, which takes a second for each GiB. */
export function seededBytes(seed: string, size: number): Buffer {
  const key = createHash('sha256').update(seed).digest();
  return createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(size));
}

export function toBlob(
  bytes: Buffer | string,
  mediaType = 'application/octet-stream',
  algorithm: DigestAlgorithm = 'sha256',
): Blob {
  const buffer = Buffer.from(bytes as Buffer);
  return {
    bytes: buffer,
    descriptor: { mediaType, digest: hashBytes(buffer, algorithm), size: buffer.length },
  };
}

/** A manifest of any shape with the digest of its bytes. */
export function toManifest(
  document: Readonly<Record<string, unknown>>,
  algorithm: DigestAlgorithm = 'sha256',
): ManifestContent {
  const blob = toBlob(JSON.stringify(document), String(document.mediaType), algorithm);
  return { bytes: blob.bytes, descriptor: blob.descriptor };
}

export interface ImageOptions {
  readonly platform?: string;
  readonly layers?: readonly Blob[];
  /** Number and size of layers of its own. */
  readonly ownLayers?: number;
  readonly layerSize?: number;
  readonly algorithm?: DigestAlgorithm;
}

/** A single-platform image, deterministic from its seed. */
export function buildImage(seed: string, options: ImageOptions = {}): Artifact {
  const { platform = 'linux/amd64', ownLayers = 1, layerSize = 2048, algorithm = 'sha256' } = options;
  const [os, architecture, variant] = platform.split('/');
  const own = Array.from({ length: ownLayers }, (_, i) =>
    toBlob(seededBytes(`${seed} layer ${i}`, layerSize), mediaTypes.ociLayer, algorithm),
  );
  const layers = [...(options.layers ?? []), ...own];
  const config = toBlob(
    JSON.stringify({
      os,
      architecture,
      ...(variant === undefined ? {} : { variant }),
      config: { Labels: { seed } },
      rootfs: { type: 'layers', diff_ids: layers.map(({ bytes }) => hashBytes(bytes)) },
    }),
    mediaTypes.ociConfig,
    algorithm,
  );
  const manifest = toManifest(
    {
      schemaVersion: 2,
      mediaType: mediaTypes.ociManifest,
      config: config.descriptor,
      layers: layers.map((layer) => layer.descriptor),
    },
    algorithm,
  );
  return { manifest, children: [], blobs: [config, ...layers] };
}

/** A multi-platform image whose platforms share a base layer. */
export function buildIndex(
  seed: string,
  platforms: readonly string[] = ['linux/amd64', 'linux/arm64', 'linux/arm/v6'],
  options: Omit<ImageOptions, 'platform'> = {},
): Artifact {
  const base = toBlob(seededBytes(`${seed} base`, options.layerSize ?? 2048), mediaTypes.ociLayer);
  const children = platforms.map((platform) => ({
    platform,
    artifact: buildImage(`${seed} ${platform}`, {
      ...options,
      platform,
      layers: [...(options.layers ?? []), base],
    }),
  }));
  const manifest = toManifest({
    schemaVersion: 2,
    mediaType: mediaTypes.ociIndex,
    manifests: children.map(({ platform, artifact }) => {
      const [os, architecture, variant] = platform.split('/');
      return {
        ...artifact.manifest.descriptor,
        platform: { os, architecture, ...(variant === undefined ? {} : { variant }) },
      };
    }),
  });
  return { manifest, children, blobs: [] };
}

/** An artifact that refers to a subject, as signatures and attestations do. */
export function buildReferrer(
  subject: Descriptor,
  artifactType = 'application/vnd.example.signature',
  seed = 'referrer',
): Artifact {
  const config = toBlob('{}', mediaTypes.ociEmpty);
  const layer = toBlob(seededBytes(`${seed} ${subject.digest}`, 256), artifactType);
  const { mediaType, digest, size } = subject;
  const manifest = toManifest({
    schemaVersion: 2,
    mediaType: mediaTypes.ociManifest,
    artifactType,
    config: config.descriptor,
    layers: [layer.descriptor],
    subject: { mediaType, digest, size },
  });
  return { manifest, children: [], blobs: [config, layer] };
}

/** Puts an artifact with all it reaches, children first. @param reference a tag; the digest without one */
export async function pushArtifact(
  target: BlobPusher & ManifestPusher,
  artifact: Artifact,
  reference: string = artifact.manifest.descriptor.digest,
): Promise<void> {
  for (const { artifact: child } of artifact.children) await pushArtifact(target, child);
  for (const { descriptor, bytes } of artifact.blobs)
    await target.pushBlob(descriptor, Readable.from([bytes]));
  await target.pushManifest(reference, artifact.manifest);
}

/** Every digest that an artifact reaches, itself included. */
export function digestsOf(artifact: Artifact): Digest[] {
  const digests = new Set<Digest>([artifact.manifest.descriptor.digest]);
  for (const { descriptor } of artifact.blobs) digests.add(descriptor.digest);
  for (const { artifact: child } of artifact.children)
    for (const digest of digestsOf(child)) digests.add(digest);
  return [...digests];
}
