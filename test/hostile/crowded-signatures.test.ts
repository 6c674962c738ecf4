import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { hashBytes } from '../../src/base/digest.ts';
import { localSigned } from '../../src/engine/copy/local-source.ts';
import type { Descriptor } from '../../src/oci/descriptor.ts';
import { collectSignatures } from '../../src/trust/discover.ts';
import { judgeSignatures } from '../../src/trust/judge.ts';
import { createSigner, crowdClassic, type SignatureArtifact } from '../kit/content/signer.ts';
import { openSyncScene, type SyncScene, toIngredient } from '../kit/scene/sync-scene.ts';

const imageType = 'application/vnd.oci.image.manifest.v1+json';
const indexType = 'application/vnd.oci.image.index.v1+json';
const localPath = (scene: SyncScene): string => `${scene.origin.host.replace(':', '_')}/cookbook/shop`;

/** An unsigned recipe that a Retriever lists and that no sync has fetched. */
async function openUnsigned(): Promise<{ scene: SyncScene; recipe: Descriptor }> {
  const scene = await openSyncScene();
  const image = scene.putImage('library/app', '1.0');
  const ingredients = [toIngredient('app', 'library/app', '1.0', image)];
  const recipe = scene.publish('shop', '1.0.0', ingredients, { sign: 'none' });
  await scene.setRetriever([['shop', '1.0.0']]);
  return { scene, recipe };
}

/** The bundles and classic signatures in the store, and whether they suffice without the source. */
const look = (scene: SyncScene, { digest }: Descriptor) =>
  scene.peek(async (store) => {
    const { evidence } = await collectSignatures(localSigned(store, localPath(scene)), digest);
    const { publicKey: key, fingerprint } = scene.signer;
    const policy = { roots: [{ name: 'one', key, fingerprint }], scopes: [], missing: [] };
    const verdict = await judgeSignatures(digest, evidence, policy, 'x/cookbook/shop');
    return {
      outcome: verdict.outcome,
      bundles: evidence.filter(({ layout }) => layout === 'bundle').length,
      classic: evidence.filter(({ layout }) => layout === 'classic').flatMap(({ layers }) => layers).length,
    };
  });

test('1030 bundles of an unknown key before the first sync do not mask a valid one, and 1024 of them are copied', async () => {
  const { scene, recipe } = await openUnsigned();
  await using _ = scene;
  const stranger = createSigner();
  for (let salt = 0; salt < 1030; salt += 1)
    scene.pushSignature('cookbook/shop', stranger.sign(recipe, 'bundle', { salt }));
  scene.pushSignature('cookbook/shop', scene.signer.sign(recipe, 'bundle'));
  const { task } = await scene.run();
  assert.equal(task.counts.failed, 0, JSON.stringify(task.items));
  assert.deepEqual(await look(scene, recipe), { outcome: 'verified', bundles: 1025, classic: 0 });
  assert.ok(scene.report.records.some(({ message }) => message.includes('are left out')));
  // those that are not copied are not new in each run
  assert.equal((await scene.plan()).plan.outcome, 'up-to-date');
});

test('1500 classic signatures of an unknown key after a valid one do not mask it in the first sync', async () => {
  const { scene, recipe } = await openUnsigned();
  await using _ = scene;
  scene.pushSignature('cookbook/shop', crowdClassic(scene.signer.sign(recipe, 'classic'), 1500));
  const { task } = await scene.run();
  assert.equal(task.counts.failed, 0, JSON.stringify(task.items));
  assert.deepEqual(await look(scene, recipe), { outcome: 'verified', bundles: 0, classic: 1024 });
  assert.equal((await scene.plan()).plan.outcome, 'up-to-date');
});

/** Replaces the configuration of a signature artifact by a blob of 3 MiB. */
function padConfig(artifact: SignatureArtifact): { padded: SignatureArtifact; large: Descriptor } {
  const bytes = randomBytes(3 << 20);
  const large = { mediaType: 'application/octet-stream', digest: hashBytes(bytes), size: bytes.length };
  const document = { ...JSON.parse(artifact.manifest.bytes.toString()), config: large };
  const manifest = Buffer.from(JSON.stringify(document));
  const descriptor = {
    ...artifact.manifest.descriptor,
    digest: hashBytes(manifest),
    size: manifest.length,
  };
  const blobs = [...artifact.blobs, { descriptor: large, bytes }];
  return { padded: { ...artifact, manifest: { bytes: manifest, descriptor }, blobs }, large };
}

for (const layout of ['classic', 'bundle'] as const)
  test(`${layout}: content larger than a signature may be is not fetched with a signature, and the recipe passes by another`, async () => {
    const { scene, recipe } = await openUnsigned();
    await using _ = scene;
    const { padded, large } = padConfig(createSigner().sign(recipe, layout));
    scene.pushSignature('cookbook/shop', padded);
    scene.pushSignature(
      'cookbook/shop',
      scene.signer.sign(recipe, layout === 'classic' ? 'bundle' : 'classic'),
    );
    const { task } = await scene.run();
    assert.equal(task.counts.failed, 0, JSON.stringify(task.items));
    assert.equal(scene.origin.count(new RegExp(`GET .*${large.digest}`)), 0);
    assert.equal((await look(scene, recipe)).outcome, 'verified');
    assert.equal((await scene.plan()).plan.outcome, 'up-to-date');
  });

test('an index that is listed as a signature brings no images along', async () => {
  const { scene, recipe } = await openUnsigned();
  await using _ = scene;
  const layer = scene.origin.putBlob('cookbook/shop', randomBytes(3 << 20));
  const config = scene.origin.putBlob('cookbook/shop', '{}');
  const image = scene.origin.putManifest(
    'cookbook/shop',
    { schemaVersion: 2, mediaType: imageType, config, layers: [layer] },
    { mediaType: imageType },
  );
  scene.origin.putManifest(
    'cookbook/shop',
    {
      schemaVersion: 2,
      mediaType: indexType,
      artifactType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
      manifests: [image],
      subject: recipe,
    },
    { mediaType: indexType },
  );
  scene.pushSignature('cookbook/shop', scene.signer.sign(recipe, 'classic'));
  const { task } = await scene.run();
  assert.equal(task.counts.failed, 0, JSON.stringify(task.items));
  assert.equal(scene.origin.count(new RegExp(`GET .*${layer.digest}`)), 0);
});

test('a signature tag at the source that is too large to read does not mask a bundle', async () => {
  const { scene, recipe } = await openUnsigned();
  await using _ = scene;
  const config = scene.origin.putBlob('cookbook/shop', '{}');
  scene.origin.putManifest(
    'cookbook/shop',
    {
      schemaVersion: 2,
      mediaType: imageType,
      config,
      layers: [],
      annotations: { padding: 'x'.repeat(5_000_000) },
    },
    { tag: `${recipe.digest.replace(':', '-')}.sig`, mediaType: imageType },
  );
  const refused = await scene.run();
  assert.equal(refused.task.items[0]?.error?.code, 'SVC-SIG-001');
  assert.match(refused.task.items[0]?.error?.detail ?? '', /\.sig: more than 4194304 bytes/);
  scene.pushSignature('cookbook/shop', scene.signer.sign(recipe, 'bundle'));
  const { task } = await scene.run();
  assert.equal(task.counts.failed, 0, JSON.stringify(task.items));
  assert.equal((await scene.plan()).plan.outcome, 'up-to-date');
});
