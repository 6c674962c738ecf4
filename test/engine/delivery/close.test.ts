import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sumContents } from '../../../src/engine/copy/sum-contents.ts';
import { closeRecipe, toContents } from '../../../src/engine/delivery/close.ts';
import { manifestLimits } from '../../../src/oci/manifest.ts';
import { mediaTypes } from '../../../src/oci/media-types.ts';
import { type Artifact, buildImage, buildIndex, toBlob, toManifest } from '../../kit/content/content.ts';
import { openStoreAt } from '../../kit/instance/open-store-at.ts';
import { buildMedium, defaultRecipes, type MediumRecipe } from '../../kit/scene/medium.ts';
import { trust, verifyCarried } from '../../kit/scene/verify-carried.ts';

const [, depot] = defaultRecipes();

function withPlatforms(platforms: readonly string[]): MediumRecipe[] {
  const artifact = buildIndex('worker', ['linux/amd64', 'linux/arm64'], { ownLayers: 1 });
  return [{ ...depot!, ingredients: [{ ...depot!.ingredients[0]!, artifact, platforms }] }];
}

test('the closure of a recipe is what the check of a medium reads for it', async () => {
  await using medium = await buildMedium();
  const root = await medium.carry();
  const { report } = await verifyCarried(root, trust(medium.signer));
  await using store = await openStoreAt({ root: medium.root }, { access: 'read' });
  for (const record of store.index.recipes()) {
    const contents = toContents(await closeRecipe(store, record));
    const verdict = report.recipes.find(({ name }) => name === record.name);
    assert.equal(verdict?.pushable, true);
    assert.equal(contents.size, verdict?.files);
    assert.equal(sumContents([contents]), verdict?.bytes);
  }
});

test('every medium has the configurations of images up to 4 MiB, and layers are on one', async () => {
  const [image, index] = [buildImage('image'), buildIndex('index', ['linux/amd64', 'linux/arm64'])];
  const config = toBlob(Buffer.alloc(manifestLimits.bytes + 1), mediaTypes.ociConfig);
  const large: Artifact = {
    manifest: toManifest({ ...JSON.parse(`${image.manifest.bytes}`), config: config.descriptor }),
    children: [],
    blobs: [config, ...image.blobs.slice(1)],
  };
  const artifacts = { image, index, large };
  const ingredients = Object.entries(artifacts).map(([name, artifact]) => ({
    ...{ name, artifact, tag: '1.0' },
    ...({ kind: 'ContainerImage', ref: `origin.example/${name}` } as const),
  }));
  await using medium = await buildMedium({ recipes: [{ ...depot!, ingredients }] });
  await using store = await openStoreAt({ root: medium.root }, { access: 'read' });
  const { always, blobs } = await closeRecipe(store, store.index.recipes()[0]!);
  for (const { blobs: own } of [image, ...index.children.map(({ artifact }) => artifact)]) {
    const [first, ...layers] = own.map(({ descriptor }) => descriptor.digest);
    assert.ok(always.has(first!) && !blobs.has(first!));
    for (const layer of layers) assert.ok(blobs.has(layer) && !always.has(layer));
  }
  assert.ok(blobs.has(config.descriptor.digest) && !always.has(config.descriptor.digest));
});

test('a closure has the platforms of the document only', async () => {
  await using medium = await buildMedium({ recipes: withPlatforms(['linux/amd64']) });
  await using store = await openStoreAt({ root: medium.root }, { access: 'read' });
  const record = store.index.recipes()[0]!;
  const closure = await closeRecipe(store, record);
  const index = store.index.manifest(record.ingredients[0]!.digest)!;
  const [amd64, arm64] = index.manifests.map((digest) => store.index.manifest(digest)!);
  assert.ok(closure.always.has(amd64!.digest) && !closure.always.has(arm64!.digest));
  const contents = toContents(closure);
  for (const { digest } of amd64!.blobs) assert.ok(contents.has(digest));
  const own = arm64!.blobs.filter(({ digest }) => !amd64!.blobs.some((one) => one.digest === digest));
  assert.ok(own.length > 0);
  for (const { digest } of own) assert.ok(!contents.has(digest));
});
