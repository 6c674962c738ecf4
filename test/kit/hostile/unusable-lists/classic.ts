import {
  answer,
  asIndex,
  type Deviation,
  imageType,
  indexType,
  payloadType,
  putImage,
  serve,
  sha256,
  tagOf,
  type Victim,
} from './deviation.ts';

const signature = 'dev.cosignproject.cosign/signature';
const absent = {
  mediaType: payloadType,
  digest: sha256('absent'),
  size: 6,
  annotations: { [signature]: 'AAAA' },
};
const sigOf = (victim: Victim): string => `${tagOf(victim)}.sig`;

function onArtifact(name: string, plant: Deviation['plant'], unsigned?: string): Deviation {
  return {
    name: `signature tag: ${name}`,
    api: true,
    beside: ['bundle'],
    ...(unsigned === undefined ? {} : { unsigned }),
    plant,
  };
}

/** Layers beside those of a valid signature in one artifact. */
const layers: Readonly<Record<string, (victim: Victim) => readonly unknown[]>> = {
  'a payload that is not there': () => [absent],
  'a payload with other bytes': ({ registry, repository }) => {
    const blob = registry.putBlob(repository, 'payload');
    registry.corrupt(repository, blob.digest, Buffer.from('PAYLOAD'));
    return [{ ...absent, ...blob, mediaType: payloadType }];
  },
  'a payload that is no JSON': ({ registry, repository }) => [
    { ...registry.putBlob(repository, 'payload', payloadType), annotations: { [signature]: 'AAAA' } },
  ],
  'another media type': ({ registry, repository }) => [
    registry.putBlob(repository, 'layer', 'application/octet-stream'),
  ],
  'another media type, not there': () => [{ ...absent, mediaType: 'application/octet-stream' }],
  'no annotations': ({ registry, repository }) => [registry.putBlob(repository, 'payload', payloadType)],
  'a signature that is not base64': () => [{ ...absent, annotations: { [signature]: '!' } }],
  'a signature that is a number': () => [{ ...absent, annotations: { [signature]: 7 } }],
  'a payload beyond every limit': () => [{ ...absent, size: 9e12 }],
  'an unknown digest algorithm': () => [{ ...absent, digest: `blake3:${'0'.repeat(64)}` }],
  'a size that is a string': () => [{ ...absent, size: '6' }],
  'a layer that is null': () => [null],
  'a layer twice': () => [absent, absent],
};

const layerDeviations = Object.entries(layers).map(
  ([name, toLayers]): Deviation => ({
    name: `signature tag: ${name}`,
    api: true,
    beside: ['classic', 'bundle'],
    plant: (victim) => {
      const { registry, repository, valid } = victim;
      const own =
        valid?.layout === 'classic'
          ? (JSON.parse(valid.manifest.bytes.toString()) as { config: object; layers: object[] })
          : undefined;
      const config =
        own?.config ?? registry.putBlob(repository, '{}', 'application/vnd.oci.image.config.v1+json');
      const document = {
        schemaVersion: 2,
        mediaType: imageType,
        config,
        layers: [...(own?.layers ?? []), ...toLayers(victim)],
      };
      registry.putManifest(repository, document, { tag: sigOf(victim) });
    },
  }),
);

/** Content under the tag of classic signatures that is no such artifact, or has layers that cannot be used. */
export const classicDeviations: readonly Deviation[] = [
  ...layerDeviations,
  onArtifact('an image', (victim) => void putImage(victim, sigOf(victim))),
  onArtifact('the subject', (victim) =>
    victim.registry.tag(victim.repository, sigOf(victim), victim.subject.digest),
  ),
  onArtifact('an index', (victim) => serve(victim, sigOf(victim), asIndex([]))),
  onArtifact('junk', (victim) => serve(victim, sigOf(victim), 'junk', { 'content-type': imageType })),
  onArtifact('no layers', (victim) =>
    serve(victim, sigOf(victim), JSON.stringify({ schemaVersion: 2, mediaType: imageType }), {
      'content-type': imageType,
    }),
  ),
  onArtifact('10 001 layers', (victim) => {
    const many = Array.from({ length: 10_001 }, () => absent);
    serve(
      victim,
      sigOf(victim),
      JSON.stringify({ schemaVersion: 2, mediaType: imageType, config: absent, layers: many }),
      { 'content-type': imageType },
    );
  }),
  onArtifact('more than 4 MiB', (victim) =>
    serve(victim, sigOf(victim), Buffer.alloc(4_194_305, ' '), { 'content-type': imageType }),
  ),
  onArtifact('another digest than it has', (victim) =>
    serve(victim, sigOf(victim), '{}', {
      'content-type': imageType,
      'docker-content-digest': sha256('other'),
    }),
  ),
  onArtifact(
    'status 500',
    (victim) =>
      answer(victim, `manifests/${sigOf(victim)}`, (_request, response) => response.writeHead(500).end()),
    'SVC-REG-002',
  ),
  onArtifact(
    'a payload that cannot be fetched',
    (victim) => {
      const { registry, repository } = victim;
      const config = registry.putBlob(repository, '{}', 'application/vnd.oci.image.config.v1+json');
      registry.putManifest(
        repository,
        { schemaVersion: 2, mediaType: imageType, config, layers: [absent] },
        { tag: sigOf(victim) },
      );
      answer(victim, `blobs/${absent.digest}`, (_request, response) => response.writeHead(500).end());
    },
    'SVC-REG-002',
  ),
  onArtifact('an index of an image', (victim) => {
    const manifests = [putImage(victim)];
    victim.registry.putManifest(
      victim.repository,
      { schemaVersion: 2, mediaType: indexType, manifests },
      { tag: sigOf(victim) },
    );
  }),
];
