import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type Digest, hashBytes } from '../../../src/base/digest.ts';
import type { RecipeRecord } from '../../../src/catalog/model.ts';
import type { Owner } from '../../../src/contract/content.ts';
import type { RecipeIngredientRecord } from '../../../src/contract/recipe.ts';
import type { ContentKind } from '../../../src/oci/kind.ts';
import { blobPath } from '../../../src/oci/layout.ts';
import { mediaTypes } from '../../../src/oci/media-types.ts';
import type { Store } from '../../../src/store/model.ts';
import { openRepository } from '../../../src/store/open-repository.ts';
import { quarantine } from '../../../src/store/quarantine.ts';
import { recordSync } from '../../../src/store/record-sync.ts';
import { newTemporary, takeFile } from '../../../src/store/write-blob.ts';
import { buildReferrer, pushArtifact, seededBytes, toBlob, toManifest } from '../content/content.ts';
import { toFilesetImage, toLayer } from '../content/fileset-image.ts';
import { toArchive } from '../content/tar-archive.ts';

const MiB = 1 << 20;
const hour = 3_600_000;
export const day = 24 * hour;
export const longName = 'observability-platform-for-industrial-sites-with-long-names';
export const deepRepository = `registry.example/${'platform/'.repeat(9)}components/${'nested-'.repeat(10)}service`;
/** The run of the synchronization of yesterday, whose task is kept. */
export const stockTask = 'tsk_5a01bb2290c4';
export const stockRun = `5f00c0ff-ee00-4d6a-9a55-${stockTask.slice(4)}`;
/** Of the key of the trust root `release`. */
export const fingerprint = '9c1d44e07b52a6f8'.repeat(4);
/** Of a key that was replaced since. */
const withdrawn = '3e55aa017c90d2b4'.repeat(4);

interface Part {
  readonly repository: string;
  readonly tag: string;
  /** MiB of the layers of each platform. */
  readonly sizes: readonly number[];
  readonly platforms?: readonly string[];
  readonly kind?: ContentKind;
}

const holeDigest = (seed: string, size: number): Digest => hashBytes(`${seed} ${size}`);

/** Puts a blob of holes: as large as it is asked for, taking no room, with a digest that is not of its bytes. */
async function putHole(store: Store, seed: string, size: number): Promise<{ digest: Digest; size: number }> {
  const digest = holeDigest(seed, size);
  const path = await newTemporary(store, 0);
  const file = await open(path, 'wx');
  await file.truncate(size);
  await file.close();
  await takeFile(store, path, digest, size);
  return { digest, size };
}

/** Puts an image, chart or artifact of one part, and its tag. @returns the digest that the tag names */
async function putPart(store: Store, part: Part, owner: Owner): Promise<Digest> {
  const { repository, tag, sizes, platforms = ['linux/amd64'], kind = 'ContainerImage' } = part;
  const target = openRepository(store, repository, { owner });
  const children = [];
  for (const platform of platforms) {
    const [os, architecture] = platform.split('/');
    const config = toBlob(
      JSON.stringify({ os, architecture, tag }),
      kind === 'HelmChart' ? mediaTypes.helmConfig : mediaTypes.ociConfig,
    );
    await target.pushBlob(config.descriptor, Readable.from([config.bytes]));
    const layers = [];
    for (const [i, size] of sizes.entries())
      layers.push({
        mediaType: mediaTypes.ociLayer,
        // the first layer is the same in each version
        ...(await putHole(store, `${repository} ${platform} ${i === 0 ? '' : tag} ${i}`, size * MiB)),
      });
    const manifest = toManifest({
      schemaVersion: 2,
      mediaType: mediaTypes.ociManifest,
      ...(kind === 'OCIArtifact' ? { artifactType: 'application/vnd.example.model' } : {}),
      config: config.descriptor,
      layers,
      annotations: {
        'org.opencontainers.image.title': repository.split('/').at(-1),
        'org.opencontainers.image.version': tag,
        'org.opencontainers.image.source': 'https://git.example/shop/storefront',
      },
    });
    children.push({ manifest, platform: { os, architecture } });
  }
  const [only] = children;
  let top = only!.manifest;
  if (platforms.length > 1) {
    for (const { manifest } of children) await target.pushManifest(manifest.descriptor.digest, manifest);
    top = toManifest({
      schemaVersion: 2,
      mediaType: mediaTypes.ociIndex,
      manifests: children.map(({ manifest, platform }) => ({ ...manifest.descriptor, platform })),
    });
  }
  await target.pushManifest(tag, top);
  if (kind !== 'OCIArtifact')
    await pushArtifact(
      target,
      buildReferrer(top.descriptor, 'application/vnd.dev.sigstore.bundle.v0.3+json', tag),
    );
  return top.descriptor.digest;
}

interface StockedRecipe {
  readonly name: string;
  readonly version: string;
  /** Days ago. */
  readonly age: number;
  readonly parts: readonly Part[];
}

const both = ['linux/amd64', 'linux/arm64'];
const web = (tag: string, size: number): Part => ({
  repository: 'registry.example/shop/web',
  tag,
  sizes: [412, size],
  platforms: [...both, 'linux/s390x'],
});
const chart = (repository: string, tag: string): Part => ({
  repository,
  tag,
  sizes: [0.046875],
  kind: 'HelmChart',
});
/** A layer of web 1.3.9 that the disk has lost. */
export const lostLayer = holeDigest('registry.example/shop/web linux/amd64 1.3.9 1', 240 * MiB);
const database: Part = {
  repository: 'docker.example/library/postgres',
  tag: '16.2',
  sizes: [690, 88],
  platforms: both,
};

const recipes: readonly StockedRecipe[] = [
  {
    name: 'shop',
    version: '1.3.9',
    age: 6,
    parts: [web('1.3.9', 240), database, chart('registry.example/shop/chart', '1.3.9')],
  },
  {
    name: 'shop',
    version: '1.4.1',
    age: 3,
    parts: [web('1.4.1', 251), database, chart('registry.example/shop/chart', '1.4.1')],
  },
  {
    name: 'shop',
    version: '1.4.2',
    age: 0,
    parts: [
      web('1.4.2', 263),
      database,
      { repository: 'registry.example/shop/worker', tag: '1.4.2', sizes: [180, 61], platforms: both },
      { repository: 'docker.example/library/redis', tag: '7.4.1', sizes: [41, 12], platforms: both },
      chart('registry.example/shop/chart', '1.4.2'),
    ],
  },
  {
    name: 'base',
    version: '12.4.0',
    age: 3,
    parts: [
      { repository: 'docker.example/library/debian', tag: '12.4', sizes: [118], platforms: both },
      { repository: 'docker.example/library/alpine', tag: '3.20', sizes: [7.5], platforms: both },
      {
        repository: 'quay.example/tools/debug',
        tag: '2026.11',
        sizes: [300, 122],
        platforms: ['linux/amd64'],
      },
    ],
  },
  {
    name: 'agent',
    version: '1.9.0',
    age: 5,
    parts: [
      { repository: 'quay.example/agent/collector', tag: '1.9.0', sizes: [96, 14], platforms: both },
      chart('quay.example/agent/chart', '1.9.0'),
    ],
  },
  {
    name: 'monitoring',
    version: '3.1.0',
    age: 2,
    parts: [
      { repository: 'quay.example/prometheus/prometheus', tag: 'v2.54.1', sizes: [210, 44], platforms: both },
      { repository: 'docker.example/grafana/grafana', tag: '11.2.0', sizes: [330, 121], platforms: both },
      chart('registry.example/monitoring/chart', '3.1.0'),
    ],
  },
  {
    name: longName,
    version: '2026.11.0-rc.1',
    age: 1,
    parts: [
      { repository: deepRepository, tag: '2026.11.0-rc.1', sizes: [77, 13] },
      {
        repository: 'registry.example/models/anomaly-detection',
        tag: '4',
        sizes: [1240],
        kind: 'OCIArtifact',
      },
    ],
  },
];

const imported: readonly Part[] = [
  { repository: 'registry.example/tool', tag: '1', sizes: [18] },
  ...Array.from({ length: 18 }, (_, i) => ({
    repository: `registry.example/teams/team-${String(i + 1).padStart(2, '0')}/service`,
    tag: `0.${i}.1`,
    sizes: [24 + 7 * i],
  })),
];

async function putRecipe(store: Store, { name, version, age, parts }: StockedRecipe): Promise<RecipeRecord> {
  const cookbook = 'registry.example/cookbook';
  const owner = { provenance: 'recipe', recipe: `${name}@${version}`, cookbook } as const;
  const repository = `${cookbook}/${name}`;
  const ingredients: RecipeIngredientRecord[] = [];
  for (const part of parts)
    ingredients.push({
      name: part.repository.split('/').at(-1)!.slice(-63).replace(/^-/, ''),
      kind: part.kind ?? 'ContainerImage',
      ref: part.repository,
      repository: part.repository,
      tag: part.tag,
      digest: await putPart(store, part, owner),
      ...(part.platforms === undefined ? {} : { platforms: part.platforms }),
    });
  const document = toBlob(`name: ${name}\nversion: ${version}\n`, 'application/yaml');
  const manifest = toManifest({
    schemaVersion: 2,
    mediaType: mediaTypes.ociManifest,
    artifactType: mediaTypes.recipe,
    config: toBlob('{}', mediaTypes.ociEmpty).descriptor,
    layers: [document.descriptor],
  });
  await pushArtifact(
    openRepository(store, repository, { owner }),
    { manifest, children: [], blobs: [toBlob('{}', mediaTypes.ociEmpty), document] },
    version,
  );
  return {
    name,
    version,
    cookbook,
    repository,
    tag: version,
    digest: manifest.descriptor.digest,
    documentDigest: document.descriptor.digest,
    runId: stockRun,
    zone: 'zone-b',
    resolvedAt: new Date(Date.now() - age * day - 2 * hour).toISOString(),
    verified: name !== 'monitoring',
    keyFingerprint: version === '1.3.9' ? withdrawn : fingerprint,
    trustScope: 'release',
    ingredients,
  };
}

/** A folder of every kind of name, with a repository for apt. */
const manuals: Parameters<typeof toArchive>[0] = {
  'dists/stable/InRelease': 'signed',
  'dists/stable/main/binary-amd64/Packages': 'Package: shop-manuals\n',
  'pool/main/s/shop-manuals_2.0.0_all.deb': seededBytes('manuals', 48_000),
  'start.html': '<h1>Read me first</h1>',
  [`${'a-long-name-of-a-manual-'.repeat(9)}end.pdf`]: seededBytes('long', 9000),
  '使用手册.pdf': seededBytes('chinese', 21_000),
  'دليل المستخدم.pdf': seededBytes('arabic', 18_000),
  'invoice\u202egpj.exe': 'not a picture',
  latest: ['pool/main/s/shop-manuals_2.0.0_all.deb'],
  lost: ['nowhere'],
};

/** Fills a store as a zone has it after a week: recipes in several versions, imports, charts, long names; 10 GiB of holes. */
export async function stock(store: Store): Promise<readonly RecipeRecord[]> {
  const records: RecipeRecord[] = [];
  for (const recipe of recipes) records.push(await putRecipe(store, recipe));
  for (const part of imported) await putPart(store, part, { provenance: 'import' });
  await pushArtifact(
    openRepository(store, 'localhost/filesets/manuals', {
      owner: { provenance: 'local-pack' },
      kind: 'FileSet',
    }),
    toFilesetImage([toLayer(toArchive(manuals))]),
    '2.0.0',
  );
  await rm(join(store.root, blobPath(lostLayer)));
  await quarantine(store, [{ digest: lostLayer }]);
  await recordSync(
    store,
    {
      zone: 'zone-b',
      runId: stockRun,
      resolvedAt: new Date(Date.now() - 3 * 60_000).toISOString(),
      outcome: 'partial',
    },
    records,
  );
  return records;
}
