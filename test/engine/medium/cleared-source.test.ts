import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { openClearedSource } from '../../../src/engine/medium/cleared-source.ts';
import { selectUnchanged } from '../../../src/engine/medium/hash-medium.ts';
import { startReading } from '../../../src/engine/medium/read-medium.ts';
import { blobPath } from '../../../src/oci/layout.ts';
import { signatureTag } from '../../../src/oci/reference.ts';
import { openRepository } from '../../../src/store/open-repository.ts';
import { isSvcError } from '../../../src/text/error.ts';
import { buildImage, pushArtifact } from '../../kit/content/content.ts';
import { pushArtifact as pushSignature } from '../../kit/content/push-artifact.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { damageFile } from '../../kit/hostile/damage-file.ts';
import { openStoreAt } from '../../kit/instance/open-store-at.ts';
import { type CarriedMedium, carry } from '../../kit/scene/carried-medium.ts';
import { type BuiltMedium, buildMedium, defaultRecipes } from '../../kit/scene/medium.ts';
import { trust, verifyCarried } from '../../kit/scene/verify-carried.ts';

const stowaway = buildImage('stowaway');
const recipes = defaultRecipes();
const web = recipes[0]!.ingredients[0]!.artifact.manifest.descriptor;
const repository = 'origin.example_5000/shop/web';
const attached = createSigner().sign(web, 'classic');

const build = () =>
  buildMedium({
    recipes,
    also: async (store) => {
      const target = openRepository(store, repository, { owner: { provenance: 'import' } });
      await pushArtifact(target, stowaway, 'latest');
      await pushSignature(target, attached, attached.tag);
    },
  });

async function open(medium: BuiltMedium, { root }: CarriedMedium) {
  const { cleared, report } = await verifyCarried(root, trust(medium.signer));
  const store = await openStoreAt({ root }, { zone: 'zone-b', access: 'read' });
  const names = openRepository(store, repository, { owner: { provenance: 'recipe' } });
  return {
    source: openClearedSource(store.root, cleared, names),
    report,
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

test('only what cleared recipes reach can be had, by whatever name it is asked for', async () => {
  await using medium = await build();
  await using opened = await open(medium, await carry(medium));
  const { source } = opened;
  assert.deepEqual((await source.fetchManifest(web.digest))!.descriptor, web);
  assert.equal((await source.resolve('1.4.0'))!.digest, web.digest);
  assert.equal(
    (await source.resolve(signatureTag(web.digest)!))!.digest,
    attached.manifest.descriptor.digest,
  );
  const layer = recipes[0]!.ingredients[0]!.artifact.blobs.at(-1)!;
  assert.deepEqual(await buffer(await source.fetchBlob(layer.descriptor)), layer.bytes);
  assert.equal(await source.hasBlob(layer.descriptor), true);

  const { digest } = stowaway.manifest.descriptor;
  for (const reference of ['latest', digest]) {
    assert.equal(await source.resolve(reference), undefined);
    assert.equal(await source.fetchManifest(reference), undefined);
  }
  const blob = stowaway.blobs[0]!.descriptor;
  assert.equal(await source.hasBlob(blob), false);
  await assert.rejects(source.fetchBlob(blob), (error) => isSvcError(error, 'SVC-REG-005'));
});

test('content that a recipe pins is found though the index of the medium does not know it', async () => {
  await using medium = await build();
  const carried = await carry(medium);
  const { cleared } = await verifyCarried(carried.root, trust(medium.signer));
  const source = openClearedSource(carried.root, cleared, {
    resolve: async () => undefined,
    listReferrers: async () => [],
  });
  assert.equal((await source.fetchManifest(web.digest))!.descriptor.digest, web.digest);
});

test('a damaged signature of an ingredient is left out, and its recipe is cleared without it', async () => {
  await using medium = await build();
  const carried = await carry(medium);
  await damageFile(carried.blob(attached.blobs[1]!.descriptor.digest), 3);
  await using opened = await open(medium, carried);
  assert.equal(opened.report.verdict, 'pushable');
  assert.equal(await opened.source.resolve(signatureTag(web.digest)!), undefined);
});

test('a manifest that changed after it was cleared does not leave', async () => {
  await using medium = await build();
  const carried = await carry(medium);
  await using opened = await open(medium, carried);
  await damageFile(carried.blob(web.digest), 3);
  await assert.rejects(opened.source.fetchManifest(web.digest), (error) => isSvcError(error, 'SVC-MED-012'));
});

test('a document is sent as it was hashed while its file is the same, and read again when it is not', async () => {
  await using medium = await build();
  const carried = await carry(medium);
  const { cleared } = await verifyCarried(carried.root, trust(medium.signer));
  const outcomes = await startReading(carried.root).outcomes;
  const names = { resolve: async () => undefined, listReferrers: async () => [] };
  const hashed = selectUnchanged(carried.root, outcomes);
  const source = openClearedSource(carried.root, cleared, names, undefined, hashed);
  const path = blobPath(web.digest);
  const outcome = outcomes.get(path)!;
  assert.ok('bytes' in outcome && outcome.bytes);
  assert.equal((await source.fetchManifest(web.digest))!.bytes.buffer, outcome.bytes.buffer);
  await damageFile(carried.blob(web.digest), 3);
  await assert.rejects(source.fetchManifest(web.digest), (error) => isSvcError(error, 'SVC-MED-012'));
});
