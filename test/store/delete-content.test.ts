import assert from 'node:assert/strict';
import { chmod, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Owner } from '../../src/contract/content.ts';
import { mediaTypes } from '../../src/oci/media-types.ts';
import { collectGarbage } from '../../src/store/collect.ts';
import { deleteBlob, deleteManifest, deleteTag, releaseOwners } from '../../src/store/delete-content.ts';
import { leaseBlob } from '../../src/store/lease-blob.ts';
import { MissingBlobsError } from '../../src/store/missing-blobs.ts';
import type { Store } from '../../src/store/model.ts';
import { occupancyOf } from '../../src/store/occupancy.ts';
import { openRepository } from '../../src/store/open-repository.ts';
import { putManifest } from '../../src/store/put-manifest.ts';
import { mountBlob } from '../../src/store/record-upload.ts';
import { checkContent } from '../../src/store/repair/check-content.ts';
import { writeRest } from '../../src/store/rest/write-rest.ts';
import { isSvcError } from '../../src/text/error.ts';
import {
  type Blob,
  buildImage,
  buildIndex,
  buildReferrer,
  digestsOf,
  pushArtifact,
  seededBytes,
  toBlob,
} from '../kit/content/content.ts';
import { pushAsClient, uploadAsClient } from '../kit/content/push-as-client.ts';
import { eventually } from '../kit/instance/eventually.ts';
import { openTempStore } from '../kit/instance/temp-store.ts';

const recipe = (name: string): Owner => ({
  provenance: 'recipe',
  recipe: `${name}@1.0.0`,
  cookbook: 'x.io/c',
});
const push: Owner = { provenance: 'push' };
const hour = 3_600_000;

const uploadHere = (store: Store, blob: Blob) => uploadAsClient(store, 'a', blob);

async function files(root: string): Promise<string[]> {
  const names = await readdir(join(root, 'blobs', 'sha256'));
  return names.map((name) => `sha256:${name}`).sort();
}

async function assertSound(store: Store): Promise<void> {
  for await (const { name, problems } of checkContent(store)) assert.deepEqual(problems, [], name);
}

test('deleting a tag removes content that only this tag reached, and keeps content that another repository shares', async () => {
  await using temp = await openTempStore();
  const { store } = temp;
  const base = toBlob(seededBytes('base', 4000), mediaTypes.ociLayer);
  const [one, two] = ['one', 'two'].map((seed) => buildIndex(seed, undefined, { layers: [base] }));
  await pushArtifact(openRepository(store, 'a/b', { owner: recipe('one') }), one!, 'v1');
  await pushArtifact(openRepository(store, 'a/b/c', { owner: recipe('two') }), two!, 'v1');
  const gone = await deleteTag(store, 'a/b', 'v1');
  assert.equal(gone?.blobs, digestsOf(one!).length - 1);
  assert.deepEqual(await files(temp.root), digestsOf(two!).sort());
  assert.equal(store.index.hasRepository('a/b'), false);
  assert.deepEqual(store.index.repositories(), ['a/b/c']);
  assert.equal(store.index.isBlobIn('a/b', base.descriptor.digest), false);
  assert.equal(store.index.isBlobIn('a/b/c', base.descriptor.digest), true);
  assert.equal(await deleteTag(store, 'a/b', 'v1'), undefined);
  assert.equal(await deleteTag(store, 'a', 'v1'), undefined);
  const again = await temp.reopen();
  assert.deepEqual(again.index.repositories(), ['a/b/c']);
  await assertSound(again);
});

test('the same manifest in two repositories leaves one and stays in the other', async () => {
  await using temp = await openTempStore();
  const image = buildImage('twice');
  for (const name of ['a', 'b'])
    await pushArtifact(openRepository(temp.store, name, { owner: recipe('x') }), image, 'v1');
  assert.deepEqual(await deleteTag(temp.store, 'a', 'v1'), { blobs: 0, bytes: 0 });
  const { digest } = image.manifest.descriptor;
  assert.equal(temp.store.index.isManifestIn('a', digest), false);
  assert.equal(temp.store.index.isManifestIn('b', digest), true);
  const again = await temp.reopen();
  assert.equal(again.index.isManifestIn('a', digest), false);
  assert.equal((await deleteTag(again, 'b', 'v1'))?.blobs, digestsOf(image).length);
  assert.deepEqual(await files(temp.root), []);
  assert.equal(occupancyOf(again).bytes, 0);
});

test('a tag is removed with its last owner only, and one batch releases many', async () => {
  await using temp = await openTempStore();
  const { store } = temp;
  const [shared, own] = [buildImage('shared'), buildImage('own')];
  for (const owner of [recipe('one'), recipe('two')])
    await pushArtifact(openRepository(store, 'a', { owner }), shared, 'v1');
  await pushArtifact(openRepository(store, 'b', { owner: recipe('one') }), own, 'v1');
  const releases = [
    { repository: 'a', tag: 'v1', owner: recipe('one') },
    { repository: 'b', tag: 'v1', owner: recipe('one') },
    { repository: 'b', tag: 'v1', owner: recipe('three') },
    { repository: 'absent', tag: 'v1', owner: recipe('one') },
  ];
  const result = await releaseOwners(store, releases);
  assert.deepEqual(result.removed, [{ repository: 'b', tag: 'v1', digest: own.manifest.descriptor.digest }]);
  assert.equal(result.blobs, digestsOf(own).length);
  const again = await temp.reopen();
  assert.deepEqual(again.index.tag('a', 'v1')?.owners, [recipe('two')]);
  assert.deepEqual(await releaseOwners(again, []), { removed: [], blobs: 0, bytes: 0 });
});

test('a pushed manifest is kept until it is deleted by its digest', async () => {
  await using temp = await openTempStore();
  const { store } = temp;
  const image = buildIndex('pushed', ['linux/amd64', 'linux/arm64']);
  await pushAsClient(store, 'a', image, 'v1');
  assert.deepEqual(await deleteTag(store, 'a', 'v1'), { blobs: 0, bytes: 0 });
  const again = await temp.reopen({ now: () => Date.now() + 100 * hour });
  assert.deepEqual(await collectGarbage(again), { blobs: 0, bytes: 0 });
  const { digest } = image.manifest.descriptor;
  assert.equal((await deleteManifest(again, 'a', digest))?.blobs, 1);
  assert.equal(await deleteManifest(again, 'a', digest), undefined);
  for (const { artifact } of image.children)
    await deleteManifest(again, 'a', artifact.manifest.descriptor.digest);
  assert.deepEqual(await files(temp.root), []);
});

test('deleting a manifest takes its tags along; an index still reaches its child', async () => {
  await using temp = await openTempStore();
  const { store } = temp;
  const image = buildIndex('family', ['linux/amd64', 'linux/arm64']);
  await pushAsClient(store, 'a', image, 'v1');
  await putManifest(store, 'a', image.manifest, { owner: push, tag: 'latest' });
  const child = image.children[0]!.artifact.manifest.descriptor.digest;
  assert.deepEqual(await deleteManifest(store, 'a', child), { blobs: 0, bytes: 0 });
  assert.equal(store.index.isManifestIn('a', child), true);
  await deleteManifest(store, 'a', image.manifest.descriptor.digest);
  assert.deepEqual(store.index.tags('a'), []);
  assert.equal(store.index.isManifestIn('a', child), false);
  await assertSound(store);
});

test('an upload is visible where it was made, until it is deleted, reached by a manifest, or a day old', async () => {
  let time = Date.now();
  await using temp = await openTempStore({ now: () => time });
  const image = buildImage('uploads', { ownLayers: 2 });
  const [config, layer, other] = image.blobs as [Blob, Blob, Blob];
  for (const blob of [config, layer, other]) await uploadAsClient(temp.store, 'a', blob);
  assert.equal(temp.store.index.isBlobIn('b', layer.descriptor.digest), false);
  assert.equal(await mountBlob(temp.store, 'b', layer.descriptor.digest, 'c', 'bob'), false);
  assert.equal(await mountBlob(temp.store, 'b', layer.descriptor.digest, 'a', 'bob'), true);
  let store = await temp.reopen();
  for (const name of ['a', 'b']) assert.ok(store.index.isBlobIn(name, layer.descriptor.digest));
  assert.equal(await deleteBlob(store, 'b', layer.descriptor.digest), true);
  assert.equal(await deleteBlob(store, 'b', layer.descriptor.digest), false);
  assert.equal(store.index.isBlobIn('b', layer.descriptor.digest), false);
  assert.equal(store.index.isBlobIn('a', layer.descriptor.digest), true);
  await putManifest(store, 'a', image.manifest, { owner: push, tag: 'v1' });
  assert.equal(store.index.isBlobNeeded('a', layer.descriptor.digest), true);
  assert.equal(await deleteBlob(store, 'a', layer.descriptor.digest), false);
  const stray = toBlob('never needed');
  await uploadAsClient(store, 'a', stray);
  time += 25 * hour;
  assert.equal(store.index.isBlobIn('a', stray.descriptor.digest), false);
  // opened again it has another hour
  store = await temp.reopen();
  assert.equal(store.index.isBlobIn('a', stray.descriptor.digest), true);
  assert.deepEqual(await collectGarbage(store), { blobs: 0, bytes: 0 });
  time += 2 * hour;
  assert.deepEqual(await collectGarbage(store), { blobs: 1, bytes: stray.bytes.length });
  await assertSound(store);
});

test('deleting an upload removes its bytes at once when nothing else holds them', async () => {
  await using temp = await openTempStore();
  const blob = toBlob('short life');
  await uploadAsClient(temp.store, 'a', blob);
  assert.equal(await deleteBlob(temp.store, 'a', blob.descriptor.digest), true);
  assert.deepEqual(await files(temp.root), []);
});

test('a lease keeps what a delete releases for a day', async () => {
  let time = Date.now();
  await using temp = await openTempStore({ now: () => time });
  const { store } = temp;
  const image = buildImage('leased');
  await pushArtifact(openRepository(store, 'a', { owner: recipe('x') }), image, 'v1');
  const layer = image.blobs[1]!.descriptor.digest;
  leaseBlob(store, layer);
  assert.equal((await deleteTag(store, 'a', 'v1'))?.blobs, 2);
  assert.deepEqual(await files(temp.root), [layer]);
  assert.deepEqual(await collectGarbage(store), { blobs: 0, bytes: 0 });
  time += 25 * hour;
  assert.equal((await collectGarbage(store)).blobs, 1);
});

for (const [what, promise] of [
  ['checked', (store: Store, { descriptor }: Blob) => leaseBlob(store, descriptor.digest, 'a')],
  ['uploaded', uploadHere],
] as const) {
  test(`a blob that a client has ${what} can be pushed for a day, although the manifest that had it there is deleted`, async () => {
    let time = Date.now();
    await using temp = await openTempStore({ now: () => time });
    const { store } = temp;
    const layer = toBlob('shared by both', mediaTypes.ociLayer);
    const old = buildImage('old', { layers: [layer] });
    const coming = buildImage('coming', { layers: [layer] });
    await pushArtifact(openRepository(store, 'a', { owner: recipe('x') }), old, 'v1');
    for (const blob of coming.blobs)
      await (blob.descriptor.digest === layer.descriptor.digest ? promise : uploadHere)(store, blob);
    await deleteTag(store, 'a', 'v1');
    const put = (repository: string, { manifest } = coming) =>
      putManifest(store, repository, manifest, { owner: push, tag: 'v2' });
    await assert.rejects(put('elsewhere'), MissingBlobsError, 'it was promised in one repository');
    time += 23 * hour;
    await put('a');
    await deleteManifest(store, 'a', coming.manifest.descriptor.digest);
    time += 2 * hour;
    await assert.rejects(put('a', old), MissingBlobsError, 'for a day');
  });
}

test('manifests that wait for their index are kept with their blobs while other content goes', async () => {
  await using temp = await openTempStore();
  const { store } = temp;
  const layer = toBlob(seededBytes('common', 3000), mediaTypes.ociLayer);
  const other = buildImage('other', { layers: [layer] });
  const image = buildIndex('waiting', ['linux/amd64', 'linux/arm64'], { layers: [layer] });
  await pushArtifact(openRepository(store, 'b', { owner: recipe('y') }), other, 'v1');
  const repository = openRepository(store, 'a', { owner: recipe('x') });
  for (const { artifact } of image.children) await pushArtifact(repository, artifact);
  await deleteTag(store, 'b', 'v1');
  await collectGarbage(store);
  await repository.pushManifest('v1', image.manifest);
  assert.deepEqual(await files(temp.root), digestsOf(image).sort());
  await assertSound(store);
});

test('content of a killed sync is collected with its records when its holds have ended', async () => {
  let time = Date.now();
  await using temp = await openTempStore({ now: () => time });
  const image = buildIndex('half', ['linux/amd64', 'linux/arm64']);
  const repository = openRepository(temp.store, 'a', { owner: recipe('x') });
  await pushArtifact(repository, image.children[0]!.artifact);
  await writeFile(join(temp.root, 'blobs/sha256', toBlob('stray').descriptor.digest.slice(7)), 'stray');
  assert.equal((await collectGarbage(temp.store)).blobs, 0);
  time += hour;
  const store = await temp.reopen();
  assert.ok(store.index.hasRepository('a'));
  assert.equal((await collectGarbage(store)).blobs, digestsOf(image.children[0]!.artifact).length + 1);
  assert.equal(store.index.hasRepository('a'), false);
  assert.deepEqual(await files(temp.root), []);
  const again = await temp.reopen();
  assert.deepEqual(again.index.repositories(), []);
});

test('content of a killed task is not collected while a queued task may resume from it', async (t) => {
  let isBusy = true;
  await using temp = await openTempStore({ isBusy: () => isBusy });
  const repository = openRepository(temp.store, 'a', { owner: recipe('x') });
  await pushArtifact(repository, buildImage('half'));
  const half = await files(temp.root);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const store = await temp.reopen();
  t.mock.timers.tick(hour);
  t.mock.timers.tick(hour);
  await writeRest(store);
  assert.deepEqual(await files(temp.root), half);
  isBusy = false;
  t.mock.timers.tick(60_000);
  t.mock.timers.reset();
  await eventually('the collection', async () => (await files(temp.root)).length === 0);
});

test('a manifest that is reached and cannot be read aborts the collection with nothing deleted', async (t) => {
  await using temp = await openTempStore();
  const image = buildIndex('unreadable', ['linux/amd64', 'linux/arm64']);
  const [here, later] = image.children;
  const repository = openRepository(temp.store, 'a', { owner: recipe('x') });
  await pushArtifact(repository, here!.artifact);
  await repository.pushManifest('v1', image.manifest);
  await temp.close();
  // a folder in the place of the child's file cannot be read by anybody, root included
  const path = join(temp.root, 'blobs/sha256', later!.artifact.manifest.descriptor.digest.slice(7));
  const { mkdir } = await import('node:fs/promises');
  await mkdir(path);
  t.after(() => rm(path, { recursive: true, force: true }));
  const stray = join(temp.root, 'blobs/sha256', toBlob('stray').descriptor.digest.slice(7));
  await writeFile(stray, 'stray');
  await chmod(stray, 0o644);
  const store = await temp.reopen();
  const before = await files(temp.root);
  await assert.rejects(collectGarbage(store), (error) => isSvcError(error, 'SVC-STO-001'));
  assert.deepEqual(await files(temp.root), before);
});

test('counted references and the walk agree after any history, and so does a store that is opened again', async () => {
  await using temp = await openTempStore();
  let state = 12345;
  const random = (n: number): number => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  const layers = Array.from({ length: 4 }, (_, i) => toBlob(seededBytes(`l${i}`, 100), mediaTypes.ociLayer));
  const images = Array.from({ length: 5 }, (_, i) =>
    i % 2 === 0
      ? buildIndex(`i${i}`, ['linux/amd64', 'linux/arm64'], { layers: layers.slice(i % 3), layerSize: 64 })
      : buildImage(`i${i}`, { layers: layers.slice(i % 4), layerSize: 64 }),
  );
  const artifacts = [
    ...images,
    ...images.slice(0, 3).map((image) => buildReferrer(image.manifest.descriptor)),
  ];
  const repositories = ['a', 'a/b', 'c'];
  let { store } = temp;
  for (let step = 0; step < 160; step += 1) {
    const artifact = artifacts[random(artifacts.length)]!;
    const name = repositories[random(repositories.length)]!;
    const tag = `t${random(3)}`;
    const owner = recipe(`r${random(2)}`);
    const { digest } = artifact.manifest.descriptor;
    switch (random(9)) {
      case 0:
      case 1:
        await pushArtifact(openRepository(store, name, { owner }), artifact, tag);
        break;
      case 2:
        await pushArtifact(openRepository(store, name, { owner }), artifact);
        break;
      case 3:
        await pushAsClient(store, name, artifact, random(2) === 0 ? tag : undefined).catch(
          // a recipe owns the tag
          (error: unknown) => assert.equal(isSvcError(error, 'SVC-POL-002'), true, String(error)),
        );
        break;
      case 4:
        await deleteTag(store, name, tag);
        break;
      case 5:
        await deleteManifest(store, name, digest);
        break;
      case 6:
        await releaseOwners(store, [{ repository: name, tag, owner }]);
        break;
      case 7:
        await uploadAsClient(store, name, layers[random(layers.length)]!);
        break;
      default:
        if (random(3) === 0) store = await temp.reopen();
        else await collectGarbage(store);
    }
    // sizes are counted on from here
    for (const name of repositories) store.index.summaryOf(name);
    if (step % 20 === 19) await assertSound(store);
  }
  const view = (of: Store) =>
    of.index
      .repositories()
      .map((name) => [
        name,
        of.index.tags(name),
        [...of.index.kindsOf(name)].sort(),
        of.index.summaryOf(name),
        of.index.tagNames(name),
        of.index.versions(),
        of.index.repositoriesOf('ContainerImage').includes(name),
        artifacts.map(({ manifest }) => of.index.isManifestIn(name, manifest.descriptor.digest)),
        layers.map(({ descriptor }) => of.index.isBlobIn(name, descriptor.digest)),
        images.map(({ manifest }) => of.index.referrers(name, manifest.descriptor.digest)),
      ]);
  const before = view(store);
  const again = await temp.reopen();
  assert.deepEqual(view(again), before);
  for (const name of repositories) {
    for (const { tag } of again.index.tags(name)) await deleteTag(again, name, tag);
    for (const one of artifacts)
      for (const digest of digestsOf(one)) {
        await deleteManifest(again, name, digest);
        await deleteBlob(again, name, digest);
      }
  }
  const late = await temp.reopen({ now: () => Date.now() + 100 * hour });
  await collectGarbage(late);
  assert.deepEqual(await files(temp.root), []);
  assert.deepEqual(late.index.repositories(), []);
});
