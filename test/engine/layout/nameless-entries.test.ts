import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { openLayout } from '../../../src/archive/open-layout.ts';
import { importLayout } from '../../../src/engine/layout/import-layout.ts';
import type { Descriptor } from '../../../src/oci/descriptor.ts';
import { blobPath } from '../../../src/oci/layout.ts';
import { mediaTypes } from '../../../src/oci/media-types.ts';
import { openRepository } from '../../../src/store/open-repository.ts';
import {
  type Artifact,
  buildImage,
  buildIndex,
  buildReferrer,
  toManifest,
} from '../../kit/content/content.ts';
import { openTempStore, type TempStore } from '../../kit/instance/temp-store.ts';

/** A layout folder with the content of artifacts and these entries, in this order. */
async function writeLayout(
  folder: string,
  artifacts: readonly Artifact[],
  entries: readonly Descriptor[],
): Promise<string> {
  const put = async (path: string, bytes: Buffer | string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes);
  };
  const putArtifact = async ({ manifest, children, blobs }: Artifact): Promise<void> => {
    for (const { artifact } of children) await putArtifact(artifact);
    for (const { descriptor, bytes } of [...blobs, manifest]) await put(blobPath(descriptor.digest), bytes);
  };
  for (const artifact of artifacts) await putArtifact(artifact);
  await put('oci-layout', '{"imageLayoutVersion":"1.0.0"}');
  await put(
    'index.json',
    JSON.stringify({ schemaVersion: 2, mediaType: mediaTypes.ociIndex, manifests: entries }),
  );
  return folder;
}

const named = (descriptor: Descriptor, name: string): Descriptor => ({
  ...descriptor,
  annotations: { 'org.opencontainers.image.ref.name': name },
});

async function bring(temp: TempStore, path: string, target: { repository?: string; tag?: string } = {}) {
  await using layout = await openLayout(path);
  const { entries } = await importLayout({ layout, store: temp.store, target });
  return entries.map(({ reference, error }) => [reference, error?.code] as const);
}

const tagsOf = ({ store }: TempStore, repository: string) =>
  store.index.tags(repository).map(({ tag, digest }) => `${tag} ${digest}`);

/** Children beside their index, as oras writes them: with their platform and without a name. */
const listed = (index: Artifact): Descriptor[] =>
  index.children.map(({ artifact, platform }) => {
    const [os = '', architecture = ''] = platform.split('/');
    return { ...artifact.manifest.descriptor, platform: { os, architecture } };
  });

test('children that a layout lists without names beside their index are no entries of their own', async () => {
  for (const platforms of [
    ['linux/amd64'],
    ['linux/amd64', 'linux/arm64'],
    ['linux/amd64', 'linux/arm64', 'linux/s390x'],
  ]) {
    await using temp = await openTempStore();
    const other = buildImage('other');
    const open = openRepository(temp.store, 'shop/app', { owner: { provenance: 'import' } });
    const before = await writeLayout(
      join(temp.folder, 'before'),
      [other],
      [named(other.manifest.descriptor, 'latest')],
    );
    assert.deepEqual(await bring(temp, before, { repository: 'shop/app' }), [['shop/app:latest', undefined]]);
    const index = buildIndex('app', platforms);
    const { descriptor } = index.manifest;
    const path = await writeLayout(
      join(temp.folder, 'layout'),
      [index],
      [...listed(index), named(descriptor, '1.0')],
    );
    assert.deepEqual(await bring(temp, path, { repository: 'shop/app' }), [['shop/app:1.0', undefined]]);
    assert.deepEqual(
      tagsOf(temp, 'shop/app').sort(),
      [`1.0 ${descriptor.digest}`, `latest ${other.manifest.descriptor.digest}`].sort(),
      `${platforms.length} platforms: no other tag is made or moved`,
    );
    for (const { artifact } of index.children)
      assert.equal(await open.hasManifest(artifact.manifest.descriptor.digest), true);
  }
});

test('a nameless index takes its listed children with it and is the only entry', async () => {
  await using temp = await openTempStore();
  const index = buildIndex('app', ['linux/amd64', 'linux/arm64']);
  const { descriptor } = index.manifest;
  const path = await writeLayout(join(temp.folder, 'layout'), [index], [...listed(index), descriptor]);
  assert.deepEqual(await bring(temp, path, { repository: 'shop/app', tag: '2' }), [
    ['shop/app:2', undefined],
  ]);
  assert.deepEqual(tagsOf(temp, 'shop/app'), [`2 ${descriptor.digest}`]);
});

test('what a nested index reaches, and a nameless repetition of a named entry, are no entries of their own', async () => {
  await using temp = await openTempStore();
  const inner = buildIndex('inner', ['linux/amd64', 'linux/arm64']);
  const manifest = toManifest({
    schemaVersion: 2,
    mediaType: mediaTypes.ociIndex,
    manifests: [inner.manifest.descriptor],
  });
  const outer: Artifact = { manifest, children: [{ platform: 'any', artifact: inner }], blobs: [] };
  const path = await writeLayout(
    join(temp.folder, 'layout'),
    [outer],
    [named(manifest.descriptor, '1.0'), manifest.descriptor, inner.manifest.descriptor, ...listed(inner)],
  );
  assert.deepEqual(await bring(temp, path, { repository: 'shop/app' }), [['shop/app:1.0', undefined]]);
  assert.deepEqual(tagsOf(temp, 'shop/app'), [`1.0 ${manifest.descriptor.digest}`]);
});

test('a referrer without a name remains an entry, and two unrelated nameless images are refused', async () => {
  await using temp = await openTempStore();
  const index = buildIndex('app', ['linux/amd64', 'linux/arm64']);
  const referrer = buildReferrer(index.manifest.descriptor);
  const path = await writeLayout(
    join(temp.folder, 'layout'),
    [index, referrer],
    [...listed(index), referrer.manifest.descriptor, named(index.manifest.descriptor, '1.0')],
  );
  const { digest } = referrer.manifest.descriptor;
  assert.deepEqual(await bring(temp, path, { repository: 'shop/app' }), [
    ['shop/app:1.0', undefined],
    [digest, undefined],
  ]);
  const [one, two] = [buildImage('one'), buildImage('two')];
  const strangers = await writeLayout(
    join(temp.folder, 'strangers'),
    [one, two],
    [one.manifest.descriptor, two.manifest.descriptor],
  );
  assert.deepEqual(
    (await bring(temp, strangers, { repository: 'shop/app' })).map(([, code]) => code),
    ['SVC-REG-001', 'SVC-REG-001'],
  );
});
