import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashBytes } from '../../src/base/digest.ts';
import type { Descriptor } from '../../src/oci/descriptor.ts';
import { fallbackTag } from '../../src/oci/reference.ts';
import { renderError } from '../../src/text/message.ts';
import { createSigner, mergeClassic, type SignatureArtifact } from '../kit/content/signer.ts';
import {
  createRegistryDouble,
  type RegistryDouble,
  type RegistryDoubleOptions,
} from '../kit/result/registry-double.ts';
import { openSyncScene, toIngredient } from '../kit/scene/sync-scene.ts';

const imageType = 'application/vnd.oci.image.manifest.v1+json';
const indexType = 'application/vnd.oci.image.index.v1+json';
const cookbook = 'our/cookbook';

/** Two signed recipes, and a destination that has neither. */
async function openZone(options: RegistryDoubleOptions = {}) {
  const scene = await openSyncScene();
  const zone = await createRegistryDouble(options);
  const [app, other] = (['app', 'other'] as const).map((name) => {
    const image = scene.putImage(`library/${name}`, '1.0');
    return scene.publish(name, '1.0.0', [toIngredient(name, `library/${name}`, '1.0', image)], {
      sign: options.referrers === false ? 'bundle' : 'classic',
    });
  }) as [Descriptor, Descriptor];
  await scene.setRetriever([
    ['app', '1.0.0'],
    ['other', '1.0.0'],
  ]);
  const change = {
    mode: 'passthrough' as const,
    registries: { insecure: [scene.origin.host, zone.host] },
    destination: { registry: zone.host, cookbook },
  };
  const sync = async (more: object = {}) => {
    const { task } = await scene.run({ change: { ...change, ...more } });
    return task.items.filter(({ error }) => error !== undefined);
  };
  return {
    scene,
    zone,
    app,
    other,
    sync,
    [Symbol.asyncDispose]: async () => {
      await zone.close();
      await scene[Symbol.asyncDispose]();
    },
  };
}

const tagOf = ({ digest }: Descriptor): string => `${digest.replace(':', '-')}.sig`;

const signaturesAt = (zone: RegistryDouble, recipe: Descriptor): readonly string[] =>
  JSON.parse(zone.manifest(`${cookbook}/app`, tagOf(recipe))!.bytes.toString()).layers.map(
    ({ annotations }: { annotations: Record<string, string> }) =>
      annotations['dev.cosignproject.cosign/signature'],
  );

/** Puts a classic artifact that names a payload which the registry does not have, last. */
function putWithAbsent(zone: RegistryDouble, artifact: SignatureArtifact): void {
  for (const { bytes } of artifact.blobs) zone.putBlob(`${cookbook}/app`, bytes);
  const document = JSON.parse(artifact.manifest.bytes.toString()) as { layers: Descriptor[] };
  const absent = {
    ...document.layers[0]!,
    digest: hashBytes('absent'),
    size: 6,
  };
  zone.putManifest(
    `${cookbook}/app`,
    { ...document, layers: [...document.layers, absent] },
    { tag: artifact.tag!, mediaType: imageType },
  );
}

test('signatures at the destination whose payload is absent there give way, and those that are complete are kept', async () => {
  await using world = await openZone();
  const { scene, zone, app, sync } = world;
  const theirs = createSigner().sign(app, 'classic');
  putWithAbsent(zone, theirs);
  assert.deepEqual(await sync(), []);
  const toText = ({ manifest }: SignatureArtifact): string =>
    JSON.parse(manifest.bytes.toString()).layers[0].annotations['dev.cosignproject.cosign/signature'];
  const [ours] = JSON.parse(scene.origin.manifest('cookbook/app', tagOf(app))!.bytes.toString()).layers.map(
    ({ annotations }: { annotations: Record<string, string> }) =>
      annotations['dev.cosignproject.cosign/signature'],
  );
  assert.deepEqual(signaturesAt(zone, app), [toText(theirs), ours]);
});

test('a signature at the destination that is listed without its payload is put again', async () => {
  await using world = await openZone();
  const { scene, zone, app, sync } = world;
  const [valid] = JSON.parse(scene.origin.manifest('cookbook/app', tagOf(app))!.bytes.toString())
    .layers as Descriptor[];
  const theirs = createSigner().sign(app, 'classic', { reference: 'zone.example/app' });
  const document = JSON.parse(mergeClassic(app, [theirs]).manifest.bytes.toString());
  for (const { bytes } of theirs.blobs) zone.putBlob(`${cookbook}/app`, bytes);
  zone.putManifest(
    `${cookbook}/app`,
    { ...document, layers: [...document.layers, valid] },
    { tag: tagOf(app), mediaType: imageType },
  );
  assert.deepEqual(await sync(), []);
  assert.equal(signaturesAt(zone, app).length, 2);
  assert.ok(zone.blob(`${cookbook}/app`, valid!.digest), 'the payload came along');
});

test('a signature tag at the destination that is too large to read refuses its recipe by name, and no other', async () => {
  await using world = await openZone();
  const { zone, app, other, sync } = world;
  const junk = {
    schemaVersion: 2,
    mediaType: imageType,
    config: { mediaType: 'application/vnd.oci.image.config.v1+json', digest: hashBytes('{}'), size: 2 },
    layers: [],
    annotations: { padding: 'x'.repeat(5_000_000) },
  };
  zone.putManifest(`${cookbook}/app`, junk, { tag: tagOf(app), mediaType: imageType });
  const failed = await sync();
  assert.deepEqual(
    failed.map(({ error }) => [error?.code, error?.params.reference]),
    [['SVC-DST-005', `${zone.host}/${cookbook}/app:${tagOf(app)}`]],
  );
  assert.equal(zone.manifest(`${cookbook}/app`, '1.0.0'), undefined);
  assert.equal(zone.manifest(`${cookbook}/other`, '1.0.0')?.digest, other.digest);
  // as the error advises
  zone.untag(`${cookbook}/app`, tagOf(app));
  assert.deepEqual(await sync(), []);
  assert.equal(zone.manifest(`${cookbook}/app`, '1.0.0')?.digest, app.digest);
});

test('a fallback index at the destination that is full refuses its recipe by name, and no other', async () => {
  await using world = await openZone({ referrers: false });
  const { zone, app, other, sync } = world;
  const tag = fallbackTag(app.digest);
  const manifests = Array.from({ length: 10_000 }, (_, i) => ({
    mediaType: imageType,
    digest: hashBytes(`junk ${i}`),
    size: 10,
  }));
  zone.putManifest(
    `${cookbook}/app`,
    { schemaVersion: 2, mediaType: indexType, manifests },
    { tag, mediaType: indexType },
  );
  const failed = await sync();
  assert.deepEqual(
    failed.map(({ error }) => [error?.code, error?.params.reference]),
    [['SVC-DST-005', `${zone.host}/${cookbook}/app:${tag}`]],
  );
  assert.equal(
    JSON.parse(zone.manifest(`${cookbook}/app`, tag)!.bytes.toString()).manifests.length,
    10_000,
    'nothing was removed from it',
  );
  assert.equal(zone.manifest(`${cookbook}/other`, '1.0.0')?.digest, other.digest);
});

test('an image under the fallback tag of an ingredient at the destination keeps no ingredient back', async () => {
  const scene = await openSyncScene();
  await using _ = scene;
  await using zone = await createRegistryDouble({ referrers: false });
  const image = scene.putImage('library/app', '1.0');
  scene.pushSignature('library/app', scene.signer.sign(image, 'bundle'));
  const recipe = scene.publish('app', '1.0.0', [toIngredient('app', 'library/app', '1.0', image)]);
  await scene.setRetriever([['app', '1.0.0']]);
  const tag = fallbackTag(image.digest);
  const path = `${scene.origin.host.replace(':', '_')}/library/app`;
  const config = zone.putBlob(path, '{}');
  const theirs = zone.putManifest(
    path,
    { schemaVersion: 2, mediaType: imageType, config, layers: [] },
    { tag },
  );
  const change = {
    mode: 'passthrough' as const,
    registries: { insecure: [scene.origin.host, zone.host] },
    destination: { registry: zone.host, cookbook },
  };
  for (const round of ['first', 'next']) {
    const { task } = await scene.run({ change });
    assert.deepEqual(
      task.items.filter(({ error }) => error !== undefined),
      [],
      round,
    );
  }
  assert.equal(zone.manifest(path, '1.0')?.digest, image.digest);
  assert.equal(zone.manifest(path, tag)?.digest, theirs.digest, 'the tag stays');
  assert.equal(zone.manifest(`${cookbook}/app`, '1.0.0')?.digest, recipe.digest);
  assert.ok(scene.report.records.some(({ message }) => message.startsWith('Signatures are not listed')));
});

test('a recipe with signatures of both layouts is pushed beside an image under its fallback tag, one with bundles alone never', async () => {
  await using world = await openZone({ referrers: false });
  const { scene, zone, app, other, sync } = world;
  const config = zone.putBlob(`${cookbook}/app`, '{}');
  for (const [name, { digest }] of [
    ['app', app],
    ['other', other],
  ] as const) {
    zone.putBlob(`${cookbook}/${name}`, '{}');
    zone.putManifest(
      `${cookbook}/${name}`,
      { schemaVersion: 2, mediaType: imageType, config, layers: [] },
      { tag: fallbackTag(digest) },
    );
  }
  scene.pushSignature('cookbook/app', scene.signer.sign(app, 'classic'));
  for (const round of ['first', 'next']) {
    const failed = await sync();
    assert.deepEqual(
      failed.map(({ name, error }) => [name, error?.code]),
      [['other@1.0.0', 'SVC-DST-005']],
      round,
    );
    const { what, action } = renderError(failed[0]!.error!, 'en');
    assert.ok(what.includes(`${zone.host}/${cookbook}/other:${fallbackTag(other.digest)}`), what);
    assert.match(what, /not an image index, but application\/vnd\.oci\.image\.manifest/);
    assert.match(action, /another tag.*referrers API.*--layout classic/);
    assert.match(renderError(failed[0]!.error!, 'fr').what, /ce n’est pas un index d’images, mais/);
  }
  assert.equal(zone.manifest(`${cookbook}/app`, '1.0.0')?.digest, app.digest);
  assert.equal(zone.manifest(`${cookbook}/other`, '1.0.0'), undefined);
});

test('a recipe that is admitted without a signature is pushed beside an image under its fallback tag, whatever bundles it has', async () => {
  await using world = await openZone({ referrers: false });
  const { scene, zone, app } = world;
  const ingredients = [
    toIngredient('app', 'library/app', '1.0', {
      digest: scene.origin.manifest('library/app', '1.0')!.digest,
    }),
  ];
  const lab = scene.publish('lab', '1.0.0', ingredients, { sign: 'none' });
  const predicateType = 'https://example.com/scan/v1';
  scene.pushSignature('cookbook/lab', scene.signer.sign(lab, 'bundle', { predicateType }));
  await scene.setRetriever([['lab', '1.0.0']]);
  const config = zone.putBlob(`${cookbook}/lab`, '{}');
  const image = { schemaVersion: 2, mediaType: imageType, config, layers: [] };
  const theirs = zone.putManifest(`${cookbook}/lab`, image, { tag: fallbackTag(lab.digest) });
  assert.deepEqual(
    await world.sync({ trust: { scopes: [{ name: 'lab', repositories: ['**'], allowUnsigned: true }] } }),
    [],
  );
  assert.equal(zone.manifest(`${cookbook}/lab`, '1.0.0')?.digest, lab.digest);
  assert.equal(zone.manifest(`${cookbook}/lab`, fallbackTag(lab.digest))?.digest, theirs.digest);
  assert.equal(zone.manifest(`${cookbook}/app`, '1.0.0'), undefined, app.digest);
});
