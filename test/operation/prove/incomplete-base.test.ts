import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ReceivedRecipe } from '../../../src/contract/receipt.ts';
import { openHashedFiles } from '../../../src/engine/prove/carried-folder.ts';
import { destination, openZoneRegistry } from '../../../src/operation/prove/seed-base.ts';
import { buildImage } from '../../kit/content/content.ts';
import { toReceipt } from '../../kit/content/receipt.ts';
import { openStoreAt } from '../../kit/instance/open-store-at.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';
import { importCarried } from '../../kit/scene/import-carried.ts';
import { type BuiltMedium, buildMedium, type MediumRecipe } from '../../kit/scene/medium.ts';
import { carryPart } from '../../kit/scene/partial-medium.ts';
import { proveFolders } from '../../kit/scene/prove-folders.ts';
import { openSparseZone } from '../../kit/scene/sparse-zone.ts';

const web = buildImage('web', { ownLayers: 2 });
const layer = web.blobs[2]!.descriptor;
const repository = 'origin.example/shop/web';
const toRecipe = (version: string): MediumRecipe => ({
  name: 'shop',
  version,
  layout: 'bundle',
  ingredients: [{ name: 'web', kind: 'ContainerImage', ref: repository, tag: '1.0.0', artifact: web }],
});

const receiptOf = ({ records }: BuiltMedium, state: ReceivedRecipe['state']) =>
  toReceipt({
    sequence: 7,
    destination: { sparse: 'accepted', freeBytes: 1e9 },
    recipes: records.map(({ name, version, digest }) => ({
      ...{ name, version, digest, state },
      ...(state === 'incomplete' ? { missing: { files: 1, bytes: layer.size } } : {}),
    })),
  });

/** A zone that has version 1.0.0, of which its registry lost a layer; version 1.1.0 has the same image. */
async function openScene() {
  const old = await buildMedium({ recipes: [toRecipe('1.0.0')] });
  const next = await buildMedium({
    signer: old.signer,
    recipes: [toRecipe('1.1.0')],
    resolvedAt: '2026-02-02T03:04:05.000Z',
  });
  const double = await createRegistryDouble();
  const bring = (root: string) =>
    importCarried(root, [old.signer], double, { state: join(old.folder, 'zone') });
  await bring(old.root);
  double.remove(repository, layer.digest);
  const store = await openStoreAt({ root: old.root }, { access: 'read', zone: 'zone-b' });
  const base = { receipt: receiptOf(old, 'incomplete'), store };
  return {
    ...{ old, next, double, store, base, import: bring },
    prove: (root: string) => proveFolders([root], [old.signer], { base }),
    [Symbol.asyncDispose]: async () => {
      await store[Symbol.asyncDispose]();
      for (const each of [double, old, next]) await each[Symbol.asyncDispose]();
    },
  };
}

test('only the present recipes of a receipt are in the registry of the proof', async () => {
  await using scene = await openScene();
  const seed = async (state: ReceivedRecipe['state']) => {
    const base = { receipt: receiptOf(scene.old, state), store: scene.store };
    const { registry, unknown, mayHave } = await openZoneRegistry(base, openHashedFiles(), {});
    assert.deepEqual([unknown, mayHave(undefined)], [0, false]);
    const held = registry.held({ host: destination.registry, repository });
    return held && [held.manifests.size, [...held.tags.keys()], held.blobs.size];
  };
  assert.deepEqual(await seed('present'), [1, ['1.0.0'], 3]);
  assert.equal(await seed('incomplete'), undefined);
  assert.equal(await seed('blocked'), undefined);
});

for (const state of ['blocked', 'incomplete'] as const)
  test(`the proof asks the registry to take a ${state} recipe of the receipt: one that refuses its index refuses it again`, async () => {
    await using double = await createRegistryDouble({ sparse: false });
    await using scene = await openSparseZone(double.host);
    const { medium } = scene;
    assert.deepEqual(await scene.import(), ['SVC-DST-002', 'refused']);
    await using store = await openStoreAt({ root: medium.root }, { access: 'read', zone: 'zone-b' });
    const receipt = toReceipt({
      sequence: 7,
      destination: { sparse: 'refused', freeBytes: 1e9 },
      recipes: medium.records.map(({ name, version, digest }) => ({
        ...{ name, version, digest, state },
        ...(state === 'blocked' ? { code: 'SVC-DST-002' } : { missing: { files: 1, bytes: 512 } }),
      })),
    });
    const proof = await proveFolders([medium.root], [medium.signer], { base: { receipt, store } });
    assert.equal(proof.verdict, 'refused');
    assert.deepEqual(
      proof.findings.map(({ code, severity, step }) => [code, severity, step]),
      [['SVC-DST-002', 'error', 'import']],
    );
  });

test('a delivery that brings the lost content of the zone is proved, and mends it there', async () => {
  await using scene = await openScene();
  const { next, double } = scene;
  const proof = await scene.prove(next.root);
  assert.equal(proof.verdict, 'proved', JSON.stringify(proof.findings));
  assert.ok(proof.steps.find(({ name }) => name === 'import')!.bytes > layer.size);
  const run = await scene.import(next.root);
  assert.equal(run.task.status, 'done', run.said);
  assert.ok(double.blob(repository, layer.digest), run.said);
});

test('a delivery that leaves the lost content out is refused in the proof, as in the zone', async () => {
  await using scene = await openScene();
  const delta = await carryPart(scene.next, {
    delivery: { id: 'dlv_0123456789ab', part: 1, parts: 1 },
    base: { zone: 'zone-b', receipt: layer.digest, sequence: 7 },
    absent: new Map([[layer.digest, 'base']]),
  });
  const proof = await scene.prove(delta.root);
  assert.deepEqual(
    [proof.verdict, proof.findings.map(({ code, subject }) => `${code} ${subject}`)],
    ['refused', ['SVC-MED-040 shop@1.1.0']],
  );
  const run = await scene.import(delta.root);
  assert.deepEqual(
    run.items.flatMap(({ name, error }) => (error === undefined ? [] : [`${error.code} ${name}`])),
    ['SVC-MED-040 shop@1.1.0'],
  );
});
