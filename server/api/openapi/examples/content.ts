import { toHostsFiles, toRegistriesYaml } from '../../../../src/client/node-mirrors.ts';
import { digests } from './digests.ts';

const base = { scheme: 'https', host: 'registry.zone-b.example' } as const;
const redirections = [{ host: 'registry.example', prefix: 'registry.example' }];

const page = { page: 1, totalPages: 1, total: 1 };

/** Answers about content, imports and recipes. */
export const contentExamples = {
  listContent: {
    repositories: [
      { name: 'team/app', kind: 'ContainerImage', tags: 3, sizeBytes: 96_422_008, provenance: ['import'] },
    ],
    ...page,
  },
  getRepository: {
    name: 'team/app',
    kind: 'ContainerImage',
    provenance: ['import'],
    recipes: [],
    tags: [
      {
        tag: '1.4.2',
        digest: digests.app,
        sizeBytes: 48_211_004,
        platforms: ['linux/amd64', 'linux/arm64'],
        presentPlatforms: ['linux/amd64'],
        provenance: ['import'],
        recipes: [],
        signed: true,
      },
    ],
    ...page,
  },
  getVersion: {
    repository: 'team/app',
    tag: '1.4.2',
    digest: digests.app,
    mediaType: 'application/vnd.oci.image.index.v1+json',
    kind: 'ContainerImage',
    sizeBytes: 48_211_004,
    annotations: { 'org.opencontainers.image.version': '1.4.2' },
    provenance: ['import'],
    recipes: [],
    signatures: [{ layout: 'bundle', digest: digests.signature }],
    platforms: [
      { os: 'linux', architecture: 'amd64', digest: digests.amd64, sizeBytes: 48_209_101, present: true },
    ],
  },
  listFilesetFiles: {
    repository: 'registry.example/filesets/debian',
    tag: '2026.07.0',
    digest: digests.app,
    folder: 'pool/main',
    entries: [
      { name: 'g', path: 'pool/main/g', kind: 'folder', folder: 'pool/main/g' },
      {
        name: 'hello_2.10-3_amd64.deb',
        path: 'pool/main/hello_2.10-3_amd64.deb',
        kind: 'file',
        sizeBytes: 53_084,
        digest: digests.amd64,
      },
    ],
    ...page,
    total: 2,
  },
  previewContentDeletion: {
    repository: 'team/app',
    removed: [{ tag: '1.4.2', digest: digests.app, sizeBytes: 48_211_004 }],
    kept: [{ tag: '1.3.0', owners: [{ provenance: 'recipe', recipe: 'platform', cookbook: 'cookbook' }] }],
    freedBytes: 48_211_004,
    fingerprint: digests.preview,
  },
  inspectArtifact: {
    reference: 'registry.example/library/app:1.4.2',
    repository: 'library/app',
    tag: '1.4.2',
    digest: digests.app,
    mediaType: 'application/vnd.oci.image.index.v1+json',
    kind: 'ContainerImage',
    multiPlatform: true,
    platforms: [
      {
        name: 'linux/amd64',
        os: 'linux',
        architecture: 'amd64',
        digest: digests.amd64,
        sizeBytes: 48_209_101,
        status: 'new',
      },
    ],
    signatures: [{ layout: 'bundle', digest: digests.signature }],
  },
  listRecipes: {
    recipes: [
      {
        name: 'platform',
        version: '1.0.0',
        cookbook: 'cookbook',
        repository: 'cookbook/platform',
        tag: '1.0.0',
        digest: digests.recipe,
        documentDigest: digests.document,
        resolvedAt: '2026-07-01T06:00:00.210Z',
        verified: true,
        ingredients: [
          {
            name: 'app',
            kind: 'ContainerImage',
            ref: 'registry.example/library/app',
            repository: 'library/app',
            tag: '1.4.2',
            digest: digests.app,
          },
        ],
      },
    ],
  },
  getRecipeMapping: {
    recipe: 'platform',
    versions: [
      {
        name: 'platform',
        version: '1.0.0',
        cookbook: 'cookbook',
        repository: 'cookbook/platform',
        tag: '1.0.0',
        digest: digests.recipe,
        documentDigest: digests.document,
        verified: true,
        ingredients: [
          {
            name: 'app',
            kind: 'ContainerImage',
            ref: 'registry.example/library/app',
            repository: 'library/app',
            tag: '1.4.2',
            digest: digests.app,
            nominal: 'registry.example/library/app:1.4.2',
            relocated: 'registry.zone-b.example/registry.example/library/app:1.4.2',
          },
        ],
      },
    ],
    mirrors: {
      registriesYaml: toRegistriesYaml(base, redirections),
      hostsToml: toHostsFiles(base, redirections),
    },
  },
  listClients: {
    clients: [
      {
        client: 'containerd',
        directory: '/etc/containerd/certs.d',
        revision: '3f9a12bc4d5e',
        reads: 'registry',
        files: ['registry.example/hosts.toml'],
      },
      {
        client: 'apt',
        directory: '/etc/apt',
        revision: '9b1c04d7e2aa',
        reads: 'instance',
        files: ['auth.conf.d/svc.conf', 'sources.list.d/svc-debian.sources'],
      },
    ],
  },
  getClientConfig: {
    client: 'containerd',
    directory: '/etc/containerd/certs.d',
    zone: 'zone-b',
    revision: '3f9a12bc4d5e',
    files: [
      {
        path: 'registry.example/hosts.toml',
        content: 'server = "https://registry.zone-b.example/v2/registry.example"\n',
      },
    ],
  },
  publishRecipe: {
    reference: 'registry.example/cookbook/platform:1.0.0',
    digest: digests.recipe,
    documentDigest: digests.document,
    unchanged: false,
  },
  previewPrune: {
    items: [
      {
        repository: 'library/app',
        tag: '1.3.0',
        digest: digests.amd64,
        recipe: 'platform',
        sizeBytes: 48_209_101,
      },
    ],
    count: 1,
    fingerprint: digests.preview,
    totalBytes: 48_209_101,
  },
};
