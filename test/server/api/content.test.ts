import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { mediaTypes } from '../../../src/oci/media-types.ts';
import { openRepository } from '../../../src/store/open-repository.ts';
import { buildIndex } from '../../kit/content/content.ts';
import { toBlob, toImage, toManifest } from '../../kit/content/oci-content.ts';
import { pushArtifact } from '../../kit/content/push-artifact.ts';
import { createOpenGate } from '../../kit/instance/open-gate.ts';
import { startTestServer, type TestServer } from '../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';

let folder: TempFolder;
let server: TestServer;
const amd64 = toBlob('{"os":"linux","architecture":"amd64"}');
const image = toImage(amd64, []);
const index = toManifest({
  schemaVersion: 2,
  mediaType: mediaTypes.ociIndex,
  annotations: { 'org.example': 'index' },
  manifests: [
    {
      mediaType: image.mediaType,
      digest: image.digest,
      size: image.bytes.length,
      platform: { os: 'linux', architecture: 'amd64' },
    },
    {
      mediaType: image.mediaType,
      digest: toBlob('absent').digest,
      size: 6,
      platform: { os: 'linux', architecture: 'arm64', variant: 'v8' },
    },
  ],
});
const foreignLayer = {
  mediaType: 'application/vnd.docker.image.rootfs.foreign.diff.tar.gzip',
  digest: toBlob('a layer that was never here').digest,
  size: 27,
};
const windows = toManifest({
  schemaVersion: 2,
  mediaType: mediaTypes.ociManifest,
  config: { mediaType: mediaTypes.ociConfig, digest: amd64.digest, size: amd64.bytes.length },
  layers: [foreignLayer],
});

async function put(repository: string, reference: string, manifest: { mediaType: string; bytes: Buffer }) {
  const response = await server.fetch(`/v2/${repository}/manifests/${reference}`, {
    method: 'PUT',
    headers: { 'content-type': manifest.mediaType },
    body: manifest.bytes as never,
  });
  assert.equal(response.status, 201, await response.text());
}

async function blob(repository: string, content: { digest: string; bytes: Buffer }) {
  const response = await server.fetch(`/v2/${repository}/blobs/uploads/?digest=${content.digest}`, {
    method: 'POST',
    body: content.bytes as never,
  });
  assert.equal(response.status, 201);
}

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({ folder: folder.path });
  for (const repository of ['team/app', 'team/app/worker', 'team/application', 'charts/app']) {
    await blob(repository, amd64);
    await put(repository, image.digest, image);
  }
  await put('team/app', 'v1', index);
  await put('team/app', 'v2', image);
  await put('team/app', `sha256-${index.digest.slice(7)}.sig`, image);
  await put('team/app/worker', 'v1', image);
  await put('team/application', 'v1', image);
  await put('team/app/worker', windows.digest, windows);
  const { mediaType, digest } = index;
  await put('team/app/worker', index.digest, index);
  await put(
    'team/app/worker',
    'nested',
    toManifest({
      schemaVersion: 2,
      mediaType,
      manifests: [
        { mediaType: windows.mediaType, digest: windows.digest, size: windows.bytes.length },
        { mediaType, digest, size: index.bytes.length },
      ],
    }),
  );
  const config = toBlob('{"name":"app"}');
  await blob('charts/app', config);
  const chart = toManifest({
    schemaVersion: 2,
    mediaType: mediaTypes.ociManifest,
    config: { mediaType: mediaTypes.helmConfig, digest: config.digest, size: config.bytes.length },
    layers: [],
  });
  await put('charts/app', '1.0.0', chart);
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

async function get(path: string): Promise<any> {
  const response = await server.fetch(`/api/v1${path}`, { headers: { authorization: server.as.viewer } });
  return response.json();
}

const names = (list: any) => list.repositories.map(({ name }: any) => name);

test('repositories are listed, searched, filtered by kind and by prefix on a segment boundary', async () => {
  assert.deepEqual(names(await get('/content')), [
    'charts/app',
    'team/app',
    'team/app/worker',
    'team/application',
  ]);
  assert.deepEqual(names(await get('/content?q=WORK')), ['team/app/worker']);
  assert.deepEqual(names(await get('/content?prefix=team/app')), ['team/app', 'team/app/worker']);
  assert.deepEqual(names(await get('/content?kind=HelmChart')), ['charts/app']);
  assert.equal((await get('/content?kind=HelmChart&kind=ContainerImage')).total, 4);
  const page = await get('/content?page=2&pageSize=3');
  assert.deepEqual([names(page), page.page, page.totalPages, page.total], [['team/application'], 2, 2, 4]);
  assert.equal((await get('/content?kind=Odd')).code, 'SVC-VAL-001');
});

test('repositories are grouped by the path segment that follows the prefix, each group as large as its own list', async () => {
  const folders = async (query: string) => (await get(`/content?view=folders&${query}`)).folders;
  assert.deepEqual(await folders(''), [
    { prefix: 'charts', repositories: 1 },
    { prefix: 'team', repositories: 3 },
  ]);
  assert.deepEqual(await folders('prefix=team'), [{ prefix: 'team/app', repositories: 2 }]);
  assert.equal((await get('/content?prefix=team/app')).total, 2);
  assert.deepEqual(await folders('prefix=team/app/'), []);
  assert.deepEqual(await folders('q=worker'), [{ prefix: 'team', repositories: 1 }]);
  const page = await get('/content?view=folders&pageSize=1&page=2');
  assert.deepEqual([page.folders[0].prefix, page.total], ['team', 2]);
});

test('a repository lists its versions with platforms and signatures; signatures are no versions', async () => {
  const repository = await get('/content/team/app');
  assert.deepEqual(repository.provenance, ['push']);
  assert.deepEqual(
    repository.tags.map(({ tag }: any) => tag),
    ['v1', 'v2'],
  );
  const [v1, v2] = repository.tags;
  assert.deepEqual(v1.platforms, ['linux/amd64', 'linux/arm64']);
  assert.deepEqual(v1.presentPlatforms, ['linux/amd64']);
  assert.equal(v1.signed, true);
  assert.deepEqual(v2.platforms, ['linux/amd64']);
  assert.equal(v2.signed, false);
});

test('a platform whose image is not served counts as absent', async () => {
  await using other = await openTempFolder();
  const both = buildIndex('both', ['linux/amd64', 'linux/arm64']);
  const denied = both.children[0]!.artifact.manifest.descriptor.digest;
  await using zone = await startTestServer({
    folder: other.path,
    gate: () => ({
      ...createOpenGate({ rehash: false }),
      guarded: true,
      allowsManifest: (_, digest) => digest !== denied,
    }),
  });
  const owner = { provenance: 'import' } as const;
  const target = openRepository(zone.store, 'team/app', { owner });
  for (const { artifact } of both.children) await pushArtifact(target, artifact);
  await pushArtifact(target, both, 'v1');
  const response = await zone.fetch('/api/v1/content/team/app', {
    headers: { authorization: zone.as.viewer },
  });
  const [v1] = ((await response.json()) as any).tags;
  assert.deepEqual([v1.platforms, v1.presentPlatforms], [['linux/amd64', 'linux/arm64'], ['linux/arm64']]);
});

test('a version is shown with its digest, type, size, platforms and signatures', async () => {
  const tag = await get('/content/team/app/-/tags/v1');
  assert.equal(tag.digest, index.digest);
  assert.equal(tag.mediaType, mediaTypes.ociIndex);
  assert.equal(tag.kind, 'ContainerImage');
  assert.deepEqual(tag.annotations, { 'org.example': 'index' });
  assert.equal(tag.sizeBytes, index.bytes.length + image.bytes.length + amd64.bytes.length);
  assert.deepEqual(
    tag.platforms.map(({ architecture, present }: any) => [architecture, present]),
    [
      ['amd64', true],
      ['arm64', false],
    ],
  );
  assert.deepEqual(tag.signatures, [{ layout: 'classic', digest: image.digest }]);
});

test('a version lists its absent layers, and the platforms of nested indexes', async () => {
  const tag = await get('/content/team/app/worker/-/tags/nested');
  assert.deepEqual(tag.absentLayers, [foreignLayer.digest]);
  assert.deepEqual(
    tag.platforms.map(({ architecture, digest, present }: any) => [architecture, digest, present]),
    [
      ['amd64', windows.digest, true],
      ['amd64', image.digest, true],
      ['arm64', toBlob('absent').digest, false],
    ],
  );
  assert.equal((await get('/content/team/app/-/tags/v1')).absentLayers, undefined);
});

test('missing content is a problem document, on every path', async () => {
  for (const path of [
    '/content/nowhere',
    '/content/team',
    '/content/team/app/-/tags/none',
    '/content/UPPER',
    '/content/team/app/-/tags/..',
  ])
    assert.match((await get(path)).code, /^SVC-(REG-005|SRV-002)$/, path);
});

const tagsOf = ({ tags }: any) => tags.map(({ tag }: any) => tag);

test('the versions of a repository are paged and searched by tag and by digest', async () => {
  const second = await get('/content/team/app?page=2&pageSize=1');
  assert.deepEqual(tagsOf(second), ['v2']);
  assert.deepEqual([second.page, second.totalPages, second.total], [2, 2, 2]);
  assert.deepEqual(tagsOf(await get('/content/team/app?page=3&pageSize=1')), []);
  assert.deepEqual(tagsOf(await get('/content/team/app?q=V1')), ['v1']);
  assert.deepEqual(tagsOf(await get(`/content/team/app?q=${image.digest.slice(7, 27)}`)), ['v2']);
  assert.deepEqual(tagsOf(await get('/content/team/app?q=nothing')), []);
});

test('kind, provenance and recipes of a repository are those of all its versions, whatever is asked for', async () => {
  const { kind, provenance } = await get('/content/team/app?q=nothing');
  assert.deepEqual([kind, provenance], ['ContainerImage', ['push']]);
});

test('repositories are listed by size, the largest first, after a change too', async () => {
  const sizes = async (query: string) =>
    (await get(`/content?${query}`)).repositories.map(({ sizeBytes }: any) => sizeBytes);
  const bySize = await sizes('sort=size');
  assert.deepEqual(
    bySize,
    [...(await sizes('sort=name'))].sort((a: number, b: number) => b - a),
  );
  assert.notDeepEqual(names(await get('/content?sort=size')), names(await get('/content')));
  const large = toBlob(Buffer.alloc(100_000, 7).toString());
  await blob('team/application', large);
  await put('team/application', 'large', toImage(amd64, [large]));
  assert.equal(names(await get('/content?sort=size'))[0], 'team/application');
  assert.deepEqual(names(await get('/content?sort=size&q=worker')), ['team/app/worker']);
  assert.equal((await get('/content?sort=age')).code, 'SVC-VAL-001');
});

test('only the manifests and configurations of the page are read', async () => {
  const repository = 'team/damaged';
  for (const tag of ['a', 'b']) {
    const config = toBlob(JSON.stringify({ os: 'linux', architecture: 'amd64', tag }));
    await blob(repository, config);
    await put(repository, tag, toImage(config, []));
    if (tag === 'b') await rm(join(server.store.root, 'blobs', 'sha256', config.digest.slice(7)));
  }
  assert.equal((await get(`/content/${repository}?page=2&pageSize=1`)).code, 'SVC-STO-001');
  assert.deepEqual(tagsOf(await get(`/content/${repository}?pageSize=1`)), ['a']);
  assert.deepEqual(tagsOf(await get(`/content/${repository}?q=a`)), ['a']);
});

test('a repository may be asked for with encoded slashes, as generated clients send it; nothing else may', async () => {
  const names = (await (await server.fetch('/api/v1/content?pageSize=200')).json()) as {
    repositories: { name: string }[];
  };
  const nested = names.repositories.find(({ name }) => name.includes('/'));
  assert.ok(nested);
  for (const slash of ['%2F', '%2f']) {
    const response = await server.fetch(`/api/v1/content/${nested.name.replaceAll('/', slash)}`);
    assert.equal(response.status, 200);
    assert.equal(((await response.json()) as { name: string }).name, nested.name);
  }
  for (const path of ['/tasks/a%2Fb', '/recipes/a%2Fb/mapping', '/accounts/a%2fb']) {
    const response = await server.fetch(
      `/api/v1${path}`,
      path.startsWith('/accounts') ? { method: 'DELETE' } : {},
    );
    assert.equal(((await response.json()) as { code: string }).code, 'SVC-SRV-002', path);
  }
  for (const path of ['..%2F..', 'a%2F..%2Fb', 'x%2F-%2Ftags%2Fv1', '%2F', 'a%2F%2Fb']) {
    const response = await server.fetch(`/api/v1/content/${path}`);
    assert.equal(((await response.json()) as { code: string }).code, 'SVC-REG-005', path);
  }
});
