import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openImportScene } from '../kit/scene/import-scene.ts';

const provenance = 'https://slsa.dev/provenance/v1';
const release = 'https://example.com/release-approved/v1';

test('an inspection lists signatures, also keyless ones, and no attestation, with or without a key', async () => {
  await using world = await openImportScene();
  const { scene } = world;
  const image = scene.putImage('shop/app', '1.0');
  const reference = `${scene.origin.host}/shop/app:1.0`;
  const { signer } = scene;
  const signatures = [
    signer.sign(image, 'bundle'),
    signer.sign(image, 'bundle', { tamper: 'keyless', salt: 1 }),
  ];
  const attestations = [
    signer.sign(image, 'bundle', { predicateType: provenance, salt: 2 }),
    signer.sign(image, 'bundle', { predicateType: provenance, tamper: 'keyless', salt: 3 }),
    signer.sign(image, 'bundle', { predicateType: release, salt: 4 }),
    signer.sign(image, 'bundle', { predicateType: release, tamper: 'keyless', salt: 5 }),
  ];
  for (const one of [...signatures, ...attestations]) scene.pushSignature('shop/app', one);
  const { signatures: listed } = await world.inspect(reference);
  const toDigests = (all: readonly (typeof signatures)[number][]) =>
    all.map(({ manifest }) => manifest.descriptor.digest).sort();
  assert.deepEqual(listed.map(({ digest }) => digest).sort(), toDigests(signatures));
});

test('an inspection lists a statement of a type that a trust root names, as a signature', async () => {
  await using scene = await openImportScene();
  const { signer } = scene.scene;
  const root = { name: 'gate', key: signer.publicKeyPem, predicates: [release] };
  await using world = await openImportScene({ trust: { roots: [root], scopes: [] } });
  const image = world.scene.putImage('shop/app', '1.0');
  const approved = signer.sign(image, 'bundle', { predicateType: release });
  for (const one of [approved, signer.sign(image, 'bundle', { predicateType: provenance })])
    world.scene.pushSignature('shop/app', one);
  const { signatures } = await world.inspect(`${world.scene.origin.host}/shop/app:1.0`);
  assert.deepEqual(signatures, [{ layout: 'bundle', digest: approved.manifest.descriptor.digest }]);
});
