import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { type Digest, digestAlgorithm, digestHex, hashBytes } from '../../../src/base/digest.ts';
import type { Descriptor } from '../../../src/oci/descriptor.ts';
import type { ManifestContent } from '../../../src/oci/ports.ts';
import { fallbackTag } from '../../../src/oci/reference.ts';

// Signs as cosign does, in both of its layouts, offline and with node:crypto alone. It shares no code with the program
// on purpose: a fault that the program has both in writing and in reading would not be found.

export type SignatureLayout = 'classic' | 'bundle';
export type KeyType = 'p256' | 'p384' | 'p521' | 'ed25519' | 'rsa';

/** A signature artifact, ready to be pushed: blobs first, then the manifest. */
export interface SignatureArtifact {
  readonly layout: SignatureLayout;
  readonly manifest: ManifestContent;
  readonly blobs: readonly { readonly descriptor: Descriptor; readonly bytes: Buffer }[];
  /** The classic layout is found under this tag; a bundle through its subject. */
  readonly tag?: string;
  /** For registries without a referrers API: the index that lists a bundle, and the tag it lies under. */
  readonly fallback?: { readonly tag: string; readonly manifest: ManifestContent };
}

/** The one fault of a made signature; everything else about it stays right. */
export type Tamper =
  /** The signed text names another digest. */
  | 'other-subject'
  /** The signed text is changed after signing. */
  | 'changed-payload'
  /** The signature's bytes are changed. */
  | 'broken-signature'
  /** The signature is not base64. */
  | 'no-base64'
  /** The signed text is no statement about an image: wrong type. */
  | 'wrong-type'
  /** A certificate stands where the key's hint would. */
  | 'keyless';

export interface SignOptions {
  readonly tamper?: Tamper;
  /** The `docker-reference` of the classic payload; nobody depends on it. */
  readonly reference?: string;
  readonly predicateType?: string;
  /** Makes signatures of one subject differ. */
  readonly salt?: number;
}

export interface Signer {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
  readonly publicKeyPem: string;
  /** PKCS #8, as `cosign import-key-pair` reads it. */
  readonly privateKeyPem: string;
  /** SHA-256 of the public key's DER, lower-case hex. */
  readonly fingerprint: string;
  sign(subject: Descriptor, layout: SignatureLayout, options?: SignOptions): SignatureArtifact;
}

const manifestType = 'application/vnd.oci.image.manifest.v1+json';
const indexType = 'application/vnd.oci.image.index.v1+json';
const bundleType = 'application/vnd.dev.sigstore.bundle.v0.3+json';
const payloadType = 'application/vnd.in-toto+json';
const emptyBytes = Buffer.from('{}');

/** Makes a key pair and signs with it. */
export function createSigner(type: KeyType = 'p256'): Signer {
  const { publicKey, privateKey } = generateKeys(type);
  const der = publicKey.export({ type: 'spki', format: 'der' });
  const hash = createHash('sha256').update(der).digest();
  const seal = (data: Buffer): Buffer => sign(hashOf(type), data, privateKey);
  return {
    publicKey,
    privateKey,
    publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }) as string,
    privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    fingerprint: hash.toString('hex'),
    sign: (subject, layout, options = {}) =>
      layout === 'classic'
        ? toClassic([toClassicSignature(subject, seal, options)], subject)
        : toBundle(subject, seal, hash.toString('base64'), options),
  };
}

/** Several classic signatures of one subject share one artifact, as cosign appends them. */
export function mergeClassic(
  subject: Descriptor,
  artifacts: readonly SignatureArtifact[],
): SignatureArtifact {
  return toClassic(
    artifacts.flatMap(({ blobs, manifest }) => {
      const { layers } = JSON.parse(manifest.bytes.toString()) as { layers: Descriptor[] };
      return layers.map((layer) => ({
        descriptor: layer,
        bytes: blobs.find(({ descriptor }) => descriptor.digest === layer.digest)!.bytes,
      }));
    }),
    subject,
  );
}

/**
 * A classic artifact with so many more signatures of nobody, after those it has: well-formed, with a real payload.
 *
 * @param bytes of the manifest: they are padded to it
 */
export function crowdClassic(artifact: SignatureArtifact, count: number, bytes?: number): SignatureArtifact {
  const document = JSON.parse(artifact.manifest.bytes.toString()) as { layers: Descriptor[] };
  const junk = (padding?: (i: number) => number) =>
    Array.from({ length: count }, (_, i) => ({
      ...document.layers[0]!,
      annotations: {
        'dev.cosignproject.cosign/signature': Buffer.from(`junk ${String(i).padStart(13, '0')}`).toString(
          'base64',
        ),
        ...(padding ? { padding: 'x'.repeat(padding(i)) } : {}),
      },
    }));
  const toLayers = (padding?: (i: number) => number) => ({
    ...document,
    layers: [...document.layers, ...junk(padding)],
  });
  let layers = toLayers();
  if (bytes !== undefined) {
    const room = bytes - Buffer.byteLength(JSON.stringify(toLayers(() => 0)));
    layers = toLayers((i) => Math.floor(room / count) + (i === 0 ? room % count : 0));
  }
  return { ...artifact, manifest: toManifest(manifestType, layers) };
}

/** The fallback index that lists several bundles of one subject. */
export function toFallbackIndex(
  subject: Digest,
  bundles: readonly ManifestContent[],
): { tag: string; manifest: ManifestContent } {
  const manifests = bundles.map(({ descriptor: { mediaType, size, digest } }) => ({
    mediaType,
    size,
    digest,
    artifactType: bundleType,
  }));
  return {
    tag: fallbackTag(subject),
    manifest: toManifest(indexType, { schemaVersion: 2, mediaType: indexType, manifests }),
  };
}

function generateKeys(type: KeyType): { publicKey: KeyObject; privateKey: KeyObject } {
  switch (type) {
    case 'p256':
      return generateKeyPairSync('ec', { namedCurve: 'P-256' });
    case 'p384':
      return generateKeyPairSync('ec', { namedCurve: 'P-384' });
    case 'p521':
      return generateKeyPairSync('ec', { namedCurve: 'P-521' });
    case 'ed25519':
      return generateKeyPairSync('ed25519');
    case 'rsa':
      return generateKeyPairSync('rsa', { modulusLength: 2048 });
  }
}

const hashOf = (type: KeyType): string | null =>
  type === 'ed25519' ? null : type === 'p384' ? 'sha384' : type === 'p521' ? 'sha512' : 'sha256';

type Blob = SignatureArtifact['blobs'][number];
type Seal = (data: Buffer) => Buffer;

function toBlob(mediaType: string, bytes: Buffer, annotations?: Readonly<Record<string, string>>): Blob {
  const descriptor = { mediaType, size: bytes.length, digest: hashBytes(bytes) };
  return { descriptor: annotations ? { ...descriptor, annotations } : descriptor, bytes };
}

function toManifest(mediaType: string, document: object): ManifestContent {
  const bytes = Buffer.from(JSON.stringify(document));
  return { descriptor: { mediaType, digest: hashBytes(bytes), size: bytes.length }, bytes };
}

/** Another digest of the same form, for signatures that speak of something else. */
const elsewhere = (digest: Digest): Digest => hashBytes(`other than ${digest}`, digestAlgorithm(digest));

function spoil(signature: Buffer, tamper: Tamper | undefined): string {
  if (tamper === 'no-base64') return '!not base64!';
  const bytes = Buffer.from(signature);
  if (tamper === 'broken-signature') bytes[bytes.length - 1]! ^= 1;
  return bytes.toString('base64');
}

function toClassicSignature(subject: Descriptor, seal: Seal, { tamper, reference }: SignOptions): Blob {
  const digest = tamper === 'other-subject' ? elsewhere(subject.digest) : subject.digest;
  const payload = Buffer.from(
    JSON.stringify({
      critical: {
        identity: { 'docker-reference': reference ?? 'registry.example/subject' },
        image: { 'docker-manifest-digest': digest },
        type: tamper === 'wrong-type' ? 'something else' : 'cosign container image signature',
      },
      optional: null,
    }),
  );
  const signature = spoil(seal(payload), tamper);
  const bytes = tamper === 'changed-payload' ? Buffer.concat([payload, Buffer.from(' ')]) : payload;
  return toBlob('application/vnd.dev.cosign.simplesigning.v1+json', bytes, {
    'dev.cosignproject.cosign/signature': signature,
    ...(tamper === 'keyless' ? { 'dev.sigstore.cosign/certificate': 'a certificate' } : {}),
  });
}

function toClassic(layers: readonly Blob[], subject: Descriptor): SignatureArtifact {
  const config = toBlob(
    'application/vnd.oci.image.config.v1+json',
    Buffer.from(
      JSON.stringify({
        architecture: '',
        created: '0001-01-01T00:00:00Z',
        history: layers.map(() => ({ created: '0001-01-01T00:00:00Z' })),
        os: '',
        rootfs: { type: 'layers', diff_ids: layers.map(({ descriptor }) => descriptor.digest) },
        config: {},
      }),
    ),
  );
  return {
    layout: 'classic',
    tag: `${digestAlgorithm(subject.digest)}-${digestHex(subject.digest)}.sig`,
    manifest: toManifest(manifestType, {
      schemaVersion: 2,
      mediaType: manifestType,
      config: config.descriptor,
      layers: layers.map(({ descriptor }) => descriptor),
    }),
    blobs: [config, ...layers],
  };
}

function toBundle(subject: Descriptor, seal: Seal, hint: string, options: SignOptions): SignatureArtifact {
  const { tamper, predicateType = 'https://sigstore.dev/cosign/sign/v1' } = options;
  const digest = tamper === 'other-subject' ? elsewhere(subject.digest) : subject.digest;
  const statement = {
    _type: tamper === 'wrong-type' ? 'https://example.org/Other/v1' : 'https://in-toto.io/Statement/v1',
    subject: [{ digest: { [digestAlgorithm(digest)]: digestHex(digest) }, annotations: {} }],
    predicateType,
    predicate: options.salt === undefined ? {} : { salt: options.salt },
  };
  const payload = Buffer.from(JSON.stringify(statement));
  const signature = spoil(
    seal(
      Buffer.concat([Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `), payload]),
    ),
    tamper,
  );
  const carried = tamper === 'changed-payload' ? Buffer.concat([payload, Buffer.from(' ')]) : payload;
  const layer = toBlob(
    bundleType,
    Buffer.from(
      JSON.stringify({
        mediaType: bundleType,
        verificationMaterial:
          tamper === 'keyless' ? { certificate: { rawBytes: 'AAAA' } } : { publicKey: { hint } },
        dsseEnvelope: { payload: carried.toString('base64'), payloadType, signatures: [{ sig: signature }] },
      }),
    ),
  );
  const config = toBlob('application/vnd.oci.empty.v1+json', emptyBytes);
  const manifest = toManifest(manifestType, {
    schemaVersion: 2,
    mediaType: manifestType,
    artifactType: bundleType,
    config: config.descriptor,
    layers: [layer.descriptor],
    subject: { mediaType: subject.mediaType, size: subject.size, digest: subject.digest },
    annotations: {
      'dev.sigstore.bundle.content': 'dsse-envelope',
      'dev.sigstore.bundle.predicateType': predicateType,
      'org.opencontainers.image.created': new Date(0).toISOString(),
    },
  });
  return {
    layout: 'bundle',
    manifest,
    blobs: [config, layer],
    fallback: toFallbackIndex(subject.digest, [manifest]),
  };
}
