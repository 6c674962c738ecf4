import assert from 'node:assert/strict';
import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { toAliasTag } from '../../src/catalog/re-point.ts';
import type { Owner } from '../../src/contract/content.ts';
import type { Descriptor } from '../../src/oci/descriptor.ts';
import { ManifestError } from '../../src/oci/manifest.ts';
import { mediaTypes } from '../../src/oci/media-types.ts';
import { deleteTag } from '../../src/store/delete-content.ts';
import { MissingBlobsError } from '../../src/store/missing-blobs.ts';
import { openRepository } from '../../src/store/open-repository.ts';
import { putManifest } from '../../src/store/put-manifest.ts';
import { putTags } from '../../src/store/put-tags.ts';
import { readStoredManifest } from '../../src/store/read-stored-manifest.ts';
import { mountBlob } from '../../src/store/record-upload.ts';
import { checkContent } from '../../src/store/repair/check-content.ts';
import { writeRest } from '../../src/store/rest/write-rest.ts';
import { createBlobWriter } from '../../src/store/write-blob.ts';
import { isSvcError } from '../../src/text/error.ts';
import {
  buildImage,
  buildIndex,
  buildReferrer,
  digestsOf,
  pushArtifact,
  toBlob,
  toManifest,
} from '../kit/content/content.ts';
import { buildHelmChart } from '../kit/content/helm-chart.ts';
import { openTempStore } from '../kit/instance/temp-store.ts';

const recipe: Owner = { provenance: 'recipe', recipe: 'app@1.0.0', cookbook: 'example.org/cookbook' };
const push: Owner = { provenance: 'push' };

test('an index put through the ports is there with all it reaches, also after the store was opened again', async () => {
  await using temp = await openTempStore();
  const image = buildIndex('app');
  await pushArtifact(openRepository(temp.store, 'a/b', { owner: recipe }), image, 'v1');
  const store = await temp.reopen();
  const { digest } = image.manifest.descriptor;
  assert.equal(store.index.tag('a/b', 'v1')?.digest, digest);
  assert.deepEqual([...store.index.reach(digest)].sort(), digestsOf(image).sort());
  for (const { artifact } of image.children) {
    assert.ok(store.index.isManifestIn('a/b', artifact.manifest.descriptor.digest));
    for (const { descriptor } of artifact.blobs) {
      assert.ok(store.index.isBlobIn('a/b', descriptor.digest));
      assert.equal(store.index.sizeOf(descriptor.digest), descriptor.size);
    }
  }
  const read = await readStoredManifest(store, digest);
  assert.deepEqual(read?.bytes, image.manifest.bytes);
});

test('the files are an OCI image layout: one file a blob and a handful besides', async () => {
  await using temp = await openTempStore();
  const image = buildImage('app');
  await pushArtifact(openRepository(temp.store, 'a/b', { owner: recipe }), image, 'v1');
  await writeRest(temp.store);
  assert.deepEqual((await readdir(temp.root)).sort(), [
    '_svc',
    'blobs',
    'index.json',
    'ledger',
    'oci-layout',
  ]);
  assert.deepEqual(await readdir(join(temp.root, '_svc', 'tmp')), []);
  const names = (await readdir(join(temp.root, 'blobs', 'sha256'))).map((hex) => `sha256:${hex}`);
  assert.deepEqual(names.sort(), digestsOf(image).sort());
});

test('a manifest whose blobs are missing is refused with their digests, and nothing is visible', async () => {
  await using temp = await openTempStore();
  const image = buildImage('app', { ownLayers: 2 });
  const [config, present, absent] = image.blobs;
  const repository = openRepository(temp.store, 'a/b', { owner: recipe });
  for (const blob of [config!, present!])
    await repository.pushBlob(blob.descriptor, Readable.from([blob.bytes]));
  await assert.rejects(repository.pushManifest('v1', image.manifest), (error: unknown) => {
    assert.ok(error instanceof MissingBlobsError);
    assert.deepEqual(error.digests, [absent!.descriptor.digest]);
    return true;
  });
  assert.equal(temp.store.index.tag('a/b', 'v1'), undefined);
  assert.equal(temp.store.index.hasRepository('a/b'), false);
});

test('a pushed manifest needs its blobs in that repository; one of a recipe uses blobs of any repository', async () => {
  await using temp = await openTempStore();
  const image = buildImage('shared');
  await pushArtifact(openRepository(temp.store, 'one', { owner: recipe }), image, 'v1');
  await assert.rejects(
    putManifest(temp.store, 'two', image.manifest, { owner: push, tag: 'v1' }),
    MissingBlobsError,
  );
  await putManifest(temp.store, 'three', image.manifest, { owner: recipe, tag: 'v1' });
  for (const { descriptor } of image.blobs) {
    assert.ok(await mountBlob(temp.store, 'two', descriptor.digest, 'one', 'alice'));
    assert.ok(temp.store.index.isBlobIn('two', descriptor.digest));
  }
  await putManifest(temp.store, 'two', image.manifest, { owner: push, tag: 'v1' });
  assert.equal(temp.store.index.tagsOf(image.manifest.descriptor.digest).length, 3);
});

test('a push that the rules of its tag refuse leaves no file', async () => {
  await using temp = await openTempStore();
  const [kept, refused] = [buildIndex('kept'), buildIndex('refused')];
  await pushArtifact(openRepository(temp.store, 'a/b', { owner: recipe }), kept, 'v1');
  await assert.rejects(
    putManifest(temp.store, 'a/b', refused.manifest, { owner: push, tag: 'v1' }),
    (error: unknown) => isSvcError(error, 'SVC-POL-002'),
  );
  const names = await readdir(join(temp.root, 'blobs', 'sha256'));
  assert.deepEqual(names.map((hex) => `sha256:${hex}`).sort(), digestsOf(kept).sort());
});

test('an index may lack children, and can be topped up without changing its digest', async () => {
  await using temp = await openTempStore();
  const image = buildIndex('sparse', ['linux/amd64', 'linux/arm64']);
  const [here, later] = image.children;
  const repository = openRepository(temp.store, 'a', { owner: recipe });
  await pushArtifact(repository, here!.artifact);
  await repository.pushManifest('v1', image.manifest);
  const absent = later!.artifact.manifest.descriptor.digest;
  assert.equal(temp.store.index.isManifestIn('a', absent), false);
  assert.deepEqual(
    temp.store.index.manifest(image.manifest.descriptor.digest)?.manifests.includes(absent),
    true,
  );
  await pushArtifact(repository, later!.artifact);
  assert.equal(temp.store.index.isManifestIn('a', absent), true);
  const store = await temp.reopen();
  assert.ok(store.index.isBlobIn('a', later!.artifact.blobs[0]!.descriptor.digest));
  assert.equal((await deleteTag(store, 'a', 'v1'))?.blobs, digestsOf(image).length);
});

test('an index that a longer way leads to is nested as deeply as this way is long', async () => {
  await using temp = await openTempStore();
  const repository = openRepository(temp.store, 'a/b', { owner: recipe });
  const image = buildImage('deep');
  await pushArtifact(repository, image);
  const put = async (...below: readonly Descriptor[]): Promise<Descriptor> => {
    const index = toManifest({ schemaVersion: 2, mediaType: mediaTypes.ociIndex, manifests: below });
    await repository.pushManifest(index.descriptor.digest, index);
    return index.descriptor;
  };
  const low = await put(await put(image.manifest.descriptor));
  const high = await put(await put(low));
  // the image has four indexes above it through `low`, and six through `high`
  assert.ok(await put(await put(low)));
  for (const order of [
    [low, high],
    [high, low],
  ])
    await assert.rejects(put(...order), ManifestError);
});

test('wrong bytes, wrong sizes and bytes that are no manifest are refused', async () => {
  await using temp = await openTempStore();
  const { store } = temp;
  const image = buildImage('app');
  const repository = openRepository(store, 'a', { owner: recipe });
  await pushArtifact(repository, image, 'v1');
  const wrong = { ...image.manifest, bytes: Buffer.concat([image.manifest.bytes, Buffer.from(' ')]) };
  await assert.rejects(putManifest(store, 'a', wrong, { owner: recipe }), (e) =>
    isSvcError(e, 'SVC-SIG-002'),
  );
  const document = JSON.parse(image.manifest.bytes.toString());
  document.config.size += 1;
  await assert.rejects(putManifest(store, 'a', toManifest(document), { owner: recipe }), ManifestError);
  const text = toBlob('{"schemaVersion":1}', mediaTypes.ociManifest);
  await assert.rejects(putManifest(store, 'a', text, { owner: recipe }), ManifestError);
  const long = toManifest({ ...JSON.parse(image.manifest.bytes.toString()), artifactType: 'x'.repeat(600) });
  await assert.rejects(putManifest(store, 'a', long, { owner: recipe }), ManifestError);
});

test('a blob that does not match its digest leaves no file', async () => {
  await using temp = await openTempStore();
  const blob = toBlob('right');
  const repository = openRepository(temp.store, 'a', { owner: recipe });
  const cases = [Buffer.from('wrong'), Buffer.from('righ'), Buffer.from('right and more')];
  for (const bytes of cases) {
    await assert.rejects(repository.pushBlob(blob.descriptor, Readable.from([bytes])), (e) =>
      isSvcError(e, 'SVC-SIG-002'),
    );
  }
  const broken = Readable.from(
    (async function* () {
      yield Buffer.from('ri');
      throw new Error('the line broke');
    })(),
  );
  await assert.rejects(repository.pushBlob(blob.descriptor, broken), /the line broke/);
  assert.equal(await repository.hasBlob(blob.descriptor), false);
  assert.deepEqual(await readdir(join(temp.root, '_svc', 'tmp')), []);
  assert.deepEqual(await readdir(join(temp.root, 'blobs', 'sha256')), []);
});

test('content is kept under the algorithm it is addressed by', async () => {
  await using temp = await openTempStore();
  const image = buildImage('long', { algorithm: 'sha512' });
  await pushArtifact(openRepository(temp.store, 'a', { owner: recipe }), image, 'v1');
  const store = await temp.reopen();
  assert.equal((await readdir(join(temp.root, 'blobs', 'sha512'))).length, digestsOf(image).length);
  assert.deepEqual(
    (await readStoredManifest(store, image.manifest.descriptor.digest))?.bytes,
    image.manifest.bytes,
  );
});

test('a writer hashes with the other algorithm when the digest that ends it asks for it', async () => {
  await using temp = await openTempStore();
  const blob = toBlob('late decision', undefined, 'sha512');
  const writer = await createBlobWriter(temp.store);
  await writer.write(blob.bytes.subarray(0, 5));
  await writer.write(blob.bytes.subarray(5));
  assert.deepEqual(await writer.commit(blob.descriptor.digest), {
    digest: blob.descriptor.digest,
    size: blob.bytes.length,
  });
  await writer.abort();
  assert.equal(temp.store.index.sizeOf(blob.descriptor.digest), blob.bytes.length);
});

test('putting present content changes neither the ledger nor index.json', async () => {
  await using temp = await openTempStore();
  const image = buildIndex('again');
  const repository = openRepository(temp.store, 'a', { owner: recipe });
  await pushArtifact(repository, image, 'v1');
  await writeRest(temp.store);
  const { head } = temp.store;
  const index = await readFile(join(temp.root, 'index.json'));
  await putManifest(temp.store, 'a', image.manifest, { owner: recipe, tag: 'v1' });
  const { digest } = image.manifest.descriptor;
  await putTags(temp.store, [{ repository: 'a', tag: 'v1', digest, kind: 'ContainerImage', owner: recipe }]);
  assert.equal(temp.store.head, head);
  assert.deepEqual(await readFile(join(temp.root, 'index.json')), index);
});

test('the number of records of a push does not depend on the size of the store', async () => {
  await using temp = await openTempStore();
  const sizes: number[] = [];
  const { store } = temp;
  const lengths = async () => (await readFile(join(temp.root, 'ledger', 'content-00000001.jsonl'))).length;
  for (const seed of ['first', 'other', 'third', 'fourth', 'fifth1']) {
    const before = await lengths();
    await pushArtifact(openRepository(store, `r/${seed}`, { owner: recipe }), buildImage(seed), 'v1');
    sizes.push((await lengths()) - before);
  }
  assert.ok(Math.max(...sizes) - Math.min(...sizes) < 16, String(sizes));
});

test('tags: owners add up, another digest takes over and leaves an alias, other kinds are kept, and lists are pages', async () => {
  await using temp = await openTempStore();
  const { store } = temp;
  const other: Owner = { ...recipe, recipe: 'other@2.0.0' };
  const [first, second] = [buildImage('first'), buildImage('second')];
  await pushArtifact(openRepository(store, 'a', { owner: recipe }), first, 'v1');
  await pushArtifact(openRepository(store, 'a', { owner: other, kind: 'FileSet' }), first, 'v1');
  assert.deepEqual(store.index.tag('a', 'v1')?.owners, [recipe, other]);
  assert.equal(store.index.tag('a', 'v1')?.kind, 'FileSet');
  await pushArtifact(openRepository(store, 'a', { owner: other }), second, 'v1');
  assert.deepEqual(store.index.tag('a', 'v1')?.owners, [other]);
  assert.equal(store.index.tag('a', 'v1')?.digest, second.manifest.descriptor.digest);
  const alias = toAliasTag('v1', first.manifest.descriptor.digest);
  const displaced = { tag: 'v1', order: 1 };
  assert.deepEqual(
    store.index.tag('a', alias)?.owners,
    [recipe, other].map((owner) => ({ ...owner, displaced })),
  );
  await pushArtifact(
    openRepository(store, 'b/chart', { owner: recipe }),
    buildHelmChart('web', '1.0.0'),
    '1.0.0',
  );
  assert.equal(store.index.tag('b/chart', '1.0.0')?.kind, 'HelmChart');
  for (const tag of ['v3', 'v10', 'V2', 'latest', 'a_b'])
    await putManifest(store, 'a', second.manifest, { owner: recipe, tag });
  const names = (options?: { last?: string; limit?: number }) =>
    store.index.tags('a', options).map(({ tag }) => tag);
  assert.deepEqual(names(), ['V2', 'a_b', 'latest', 'v1', alias, 'v10', 'v3']);
  assert.deepEqual(names({ last: 'a_b', limit: 2 }), ['latest', 'v1']);
  assert.deepEqual(names({ last: 'm' }), ['v1', alias, 'v10', 'v3']);
  assert.deepEqual(names({ limit: 0 }), []);
  assert.deepEqual(store.index.repositories({ last: 'a' }), ['b/chart']);
  const again = await temp.reopen();
  assert.deepEqual(
    again.index.tags('a').map(({ tag }) => tag),
    ['V2', 'a_b', 'latest', 'v1', alias, 'v10', 'v3'],
  );
});

test('referrers are found in the repository they were put into, whenever their subject came', async () => {
  await using temp = await openTempStore();
  const { store } = temp;
  const image = buildImage('signed');
  const subject = image.manifest.descriptor;
  const signature = buildReferrer(subject);
  const repository = openRepository(store, 'a', { owner: recipe });
  await pushArtifact(repository, signature);
  await pushArtifact(repository, image, 'v1');
  await pushArtifact(openRepository(store, 'b', { owner: recipe }), image, 'v1');
  assert.deepEqual(
    store.index.referrers('a', subject.digest).map(({ digest }) => digest),
    [signature.manifest.descriptor.digest],
  );
  assert.deepEqual(store.index.referrers('b', subject.digest), []);
  const listed = await repository.listReferrers(subject.digest, 'application/vnd.example.signature');
  assert.equal(listed[0]?.artifactType, 'application/vnd.example.signature');
  assert.deepEqual(await repository.listReferrers(subject.digest, 'other/type'), []);
  // with its subject it goes
  assert.equal((await deleteTag(store, 'b', 'v1'))?.blobs, 0);
  const gone = await deleteTag(store, 'a', 'v1');
  assert.equal(gone?.blobs, digestsOf(image).length + digestsOf(signature).length);
});

test('a truncated or removed blob is not taken for present, and is written again', async () => {
  await using temp = await openTempStore();
  const image = buildImage('damaged');
  const repository = openRepository(temp.store, 'a', { owner: recipe });
  await pushArtifact(repository, image, 'v1');
  const layer = image.blobs[1]!;
  await truncate(join(temp.root, 'blobs/sha256', layer.descriptor.digest.slice(7)), 10);
  assert.equal(await repository.hasManifest(image.manifest.descriptor.digest), false);
  assert.equal(await repository.hasBlob(layer.descriptor), false);
  await repository.pushBlob(layer.descriptor, Readable.from([layer.bytes]));
  assert.equal(await repository.hasManifest(image.manifest.descriptor.digest), true);
  for await (const { name, problems } of checkContent(temp.store)) assert.deepEqual(problems, [], name);
});

test('a blob that a killed process left is hashed before it counts, and a wrong one is replaced', async () => {
  await using temp = await openTempStore();
  const [good, bad] = [toBlob('left whole'), toBlob('left torn')];
  await temp.close();
  const path = (blob: typeof good) => join(temp.root, 'blobs/sha256', blob.descriptor.digest.slice(7));
  await writeFile(path(good), good.bytes);
  await writeFile(path(bad), 'left tor\0');
  const store = await temp.reopen();
  const repository = openRepository(store, 'a', { owner: recipe });
  assert.equal(await repository.hasBlob(good.descriptor), true);
  assert.equal(await repository.hasBlob(bad.descriptor), false);
  await repository.pushBlob(bad.descriptor, Readable.from([bad.bytes]));
  assert.equal(await repository.hasBlob(bad.descriptor), true);
  assert.deepEqual(await readFile(path(bad)), bad.bytes);
});

test('many pushes at once give one store', async () => {
  await using temp = await openTempStore();
  const { store } = temp;
  const shared = toBlob('a layer of all', mediaTypes.ociLayer);
  const images = Array.from({ length: 20 }, (_, i) => buildImage(`image ${i}`, { layers: [shared] }));
  await Promise.all(
    images.map((image, i) =>
      pushArtifact(openRepository(store, `r${i % 4}`, { owner: recipe }), image, `t${i}`),
    ),
  );
  const again = await temp.reopen();
  assert.equal(again.index.repositories().length, 4);
  for await (const { name, problems } of checkContent(again)) assert.deepEqual(problems, [], name);
});
