import assert from 'node:assert/strict';
import { readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { digestHex } from '../../../src/base/digest.ts';
import { mediaTypes } from '../../../src/oci/media-types.ts';
import { type Artifact, toManifest } from '../../kit/content/content.ts';
import { toFilesetImage, toLayer } from '../../kit/content/fileset-image.ts';
import { buildHelmChart } from '../../kit/content/helm-chart.ts';
import { putFileset } from '../../kit/content/put-fileset.ts';
import { toArchive, toRawArchive } from '../../kit/content/tar-archive.ts';
import { damageFile } from '../../kit/hostile/damage-file.ts';
import { startTestServer, type TestServer } from '../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';

const imageFor = (platform: string): Artifact => toFilesetImage([toLayer(toArchive({ platform }))], platform);

function toIndex(platforms: readonly string[], also: readonly object[] = []): Artifact {
  const children = platforms.map((platform) => ({ platform, artifact: imageFor(platform) }));
  const manifest = toManifest({
    schemaVersion: 2,
    mediaType: mediaTypes.ociIndex,
    manifests: [
      ...children.map(({ platform, artifact }) => {
        const [os, architecture] = platform.split('/');
        return { ...artifact.manifest.descriptor, platform: { os, architecture } };
      }),
      ...also,
    ],
  });
  return { manifest, children, blobs: [] };
}

const attestation = {
  ...imageFor('unknown/unknown').manifest.descriptor,
  platform: { os: 'unknown', architecture: 'unknown' },
};

let folder: TempFolder;
let server: TestServer;

const fileset = (name: string, platform?: string) => ({
  name: `${name}${platform === undefined ? '' : `-${platform.replace('/', '-')}`}`,
  ref: `localhost/filesets/${name}`,
  anonymous: false,
  ...(platform === undefined ? {} : { platform }),
});

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({
    folder: folder.path,
    filesets: [
      fileset('many'),
      fileset('many', 'linux/amd64'),
      fileset('many', 'linux/arm64'),
      fileset('many', 'linux/s390x'),
      fileset('nested'),
      fileset('nested', 'linux/arm64'),
      fileset('nested', 'linux/riscv64'),
      fileset('nested', 'linux/s390x'),
      fileset('one'),
      fileset('image'),
      fileset('image', 'linux/arm64'),
      fileset('image', 'linux/amd64'),
      fileset('packed', 'linux/amd64'),
      fileset('chart'),
      fileset('refused'),
      fileset('damaged'),
      fileset('missing'),
    ],
  });
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const put = (name: string, artifact: Artifact, tag?: string) => putFileset(server.store, name, artifact, tag);

const get = async (name: string, path = 'platform') => {
  const response = await server.fetch(`/files/${name}/${path}`);
  const text = await response.text();
  return response.ok ? text : `${response.status} ${JSON.parse(text).code}`;
};

test('an index of several platforms is refused until one is named', async () => {
  await put('many', toIndex(['linux/amd64', 'linux/arm64'], [attestation]));
  assert.equal(await get('many'), '409 SVC-CFG-001');
  assert.equal(await get('many-linux-amd64'), 'linux/amd64');
  assert.equal(await get('many-linux-arm64'), 'linux/arm64');
  assert.equal(await get('many-linux-s390x'), '422 SVC-REG-008');
});

test('a platform is found in a nested index and in the configuration of a child that names none', async () => {
  const inner = toIndex(['linux/arm64']);
  const silent = imageFor('linux/riscv64');
  const outer = toIndex(
    ['linux/amd64'],
    [inner.manifest.descriptor, silent.manifest.descriptor, attestation],
  );
  const children = [...outer.children, { platform: '', artifact: inner }, { platform: '', artifact: silent }];
  await put('nested', { ...outer, children });
  assert.equal(await get('nested'), '409 SVC-CFG-001');
  assert.equal(await get('nested-linux-arm64'), 'linux/arm64');
  assert.equal(await get('nested-linux-riscv64'), 'linux/riscv64');
  const response = await server.fetch('/files/nested-linux-s390x/platform');
  const { code, params } = JSON.parse(await response.text());
  assert.equal(code, 'SVC-REG-008');
  assert.deepEqual(params.available, ['linux/amd64', 'linux/arm64', 'linux/riscv64']);
});

test('an index of one platform is not ambiguous, whatever else it has', async () => {
  await put('one', toIndex(['linux/arm64'], [attestation]));
  assert.equal(await get('one'), 'linux/arm64');
});

test('an index that was brought for one of its platforms is not ambiguous', async () => {
  const absent = {
    ...imageFor('linux/ppc64le').manifest.descriptor,
    platform: { os: 'linux', architecture: 'ppc64le' },
  };
  await put('one', toIndex(['linux/amd64'], [absent]), '2.0.0');
  assert.equal(await get('one'), 'linux/amd64');
});

test('a single image is held to its own platform, and one that is for all of them serves any', async () => {
  await put('image', imageFor('linux/arm64'));
  assert.equal(await get('image'), 'linux/arm64');
  assert.equal(await get('image-linux-arm64'), 'linux/arm64');
  assert.equal(await get('image-linux-amd64'), '422 SVC-REG-008');
  await put('packed', imageFor('unknown/unknown'));
  assert.equal(await get('packed-linux-amd64'), 'unknown/unknown');
});

test('an artifact that is no image of files is refused', async () => {
  await put('chart', buildHelmChart('chart', '1.0.0'));
  assert.equal(await get('chart'), '422 SVC-FIL-004');
});

test('nothing of a refused image is cached, not even its intact layers', async () => {
  const kept = async () => (await readdir(join(folder.path, 'state', 'files'))).length;
  const before = await kept();
  await put(
    'refused',
    toFilesetImage([
      toLayer(toArchive({ platform: 'good' }), 'gzip'),
      toLayer(toRawArchive([{ path: '../out' }]), 'gzip'),
    ]),
  );
  assert.equal(await get('refused'), '422 SVC-FIL-004');
  assert.equal(await kept(), before);
});

test('a damaged or missing layer is named, and not read again on each request', async () => {
  const pathOf = (artifact: Artifact) =>
    join(server.store.root, 'blobs/sha256', digestHex(artifact.blobs.at(-1)!.descriptor.digest));
  const damaged = toFilesetImage([toLayer(toArchive({ platform: 'damaged' }))]);
  await put('damaged', damaged);
  await damageFile(pathOf(damaged), 600);
  assert.equal(await get('damaged'), '422 SVC-SIG-002');
  await damageFile(pathOf(damaged), 600);
  assert.equal(await get('damaged'), '422 SVC-SIG-002');
  // another version is another matter
  await put('damaged', toFilesetImage([toLayer(toArchive({ platform: 'mended' }))]), '1.0.1');
  assert.equal(await get('damaged'), 'mended');

  const missing = toFilesetImage([toLayer(toArchive({ platform: 'missing' }))]);
  await put('missing', missing);
  await unlink(pathOf(missing));
  assert.equal(await get('missing'), '500 SVC-STO-001');
});
