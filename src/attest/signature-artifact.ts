import { hashBytes } from '../base/digest.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import { mediaTypes } from '../oci/media-types.ts';
import type { ManifestContent } from '../oci/ports.ts';
import { bundleMediaType } from './bundle.ts';
import { signPredicate } from './predicate-types.ts';
import { signatureAnnotation } from './simple-signing.ts';

interface Blob {
  readonly descriptor: Descriptor;
  readonly bytes: Buffer;
}

/** A signature as an artifact of a registry: the blobs are pushed first. */
export interface SignatureArtifact {
  readonly manifest: ManifestContent;
  /** The config and the layer. */
  readonly blobs: readonly [Blob, Blob];
}

/**
 * Wraps a bundle as the referrer of its subject, as cosign 3 does.
 *
 * @param created RFC 3339 in UTC
 */
export function toBundleArtifact(subject: Descriptor, bundle: Buffer, created: string): SignatureArtifact {
  const config = toBlob(mediaTypes.ociEmpty, Buffer.from('{}'));
  const layer = toBlob(bundleMediaType, bundle);
  const { mediaType, digest, size } = subject;
  const manifest = toManifest({
    schemaVersion: 2,
    mediaType: mediaTypes.ociManifest,
    artifactType: bundleMediaType,
    config: config.descriptor,
    layers: [layer.descriptor],
    subject: { mediaType, digest, size },
    annotations: {
      'dev.sigstore.bundle.content': 'dsse-envelope',
      'dev.sigstore.bundle.predicateType': signPredicate,
      'org.opencontainers.image.created': created,
    },
  });
  const descriptor = { ...manifest.descriptor, artifactType: bundleMediaType };
  return { manifest: { ...manifest, descriptor }, blobs: [config, layer] };
}

/** Wraps a classic signature as an artifact of its own. Others of the same subject are merged with it. */
export function toClassicArtifact(payload: Buffer, signature: Buffer): SignatureArtifact {
  const layer = toBlob(mediaTypes.simpleSigning, payload, {
    [signatureAnnotation]: signature.toString('base64'),
  });
  const { manifest, config } = toClassicManifest([layer.descriptor]);
  return { manifest, blobs: [config, layer] };
}

/**
 * Makes the manifest of classic signatures, with an image configuration as cosign writes it: one history entry for
 * each layer, without a creation time.
 *
 * @param members further members of the manifest
 */
export function toClassicManifest(
  layers: readonly Descriptor[],
  members: object = {},
): { readonly manifest: ManifestContent; readonly config: Blob } {
  const created = '0001-01-01T00:00:00Z';
  const bytes = Buffer.from(
    JSON.stringify({
      architecture: '',
      created,
      history: layers.map(() => ({ created })),
      os: '',
      rootfs: { type: 'layers', diff_ids: layers.map(({ digest }) => digest) },
      config: {},
    }),
  );
  const config = toBlob(mediaTypes.ociConfig, bytes);
  const manifest = toManifest({
    schemaVersion: 2,
    ...members,
    mediaType: mediaTypes.ociManifest,
    config: config.descriptor,
    layers,
  });
  return { manifest, config };
}

function toBlob(mediaType: string, bytes: Buffer, annotations?: Readonly<Record<string, string>>): Blob {
  const descriptor = { mediaType, digest: hashBytes(bytes), size: bytes.length };
  return { descriptor: annotations ? { ...descriptor, annotations } : descriptor, bytes };
}

function toManifest(document: object): ManifestContent {
  const bytes = Buffer.from(JSON.stringify(document));
  const descriptor = { mediaType: mediaTypes.ociManifest, digest: hashBytes(bytes), size: bytes.length };
  return { descriptor, bytes };
}
