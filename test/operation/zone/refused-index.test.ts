import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { planZoneBoard } from '../../../src/engine/zone/zone-board.ts';
import { openOwnReceipts } from '../../../src/zone/own-receipts.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';
import { openSparseZone } from '../../kit/scene/sparse-zone.ts';

test('a registry that refused a sparse index is known for it, until it takes the index', async () => {
  await using double = await createRegistryDouble({ sparse: false });
  await using scene = await openSparseZone(double.host);
  assert.deepEqual(await scene.import(), ['SVC-DST-002', 'refused']);
  double.options = { ...double.options, sparse: true };
  assert.deepEqual(await scene.import(), [undefined, 'accepted']);
});

test('a registry to which all platforms went after its refusal is known for it, until it takes another sparse index', async () => {
  await using double = await createRegistryDouble({ sparse: false });
  await using whole = await openSparseZone(double.host, ['linux/amd64', 'linux/arm64']);
  assert.deepEqual(await whole.import(), [undefined, 'refused']);
  assert.deepEqual(await whole.import(), [undefined, 'refused']);
  await using sparse = await openSparseZone(double.host, ['linux/amd64'], {
    state: whole.state,
    repository: 'other',
  });
  double.options = { ...double.options, sparse: true };
  assert.deepEqual(await whole.import(), [undefined, 'refused']);
  assert.deepEqual(await sparse.import(), [undefined, 'accepted']);
});

test('a recipe that the registry refused is blocked in the receipt and on the board, with the code', async () => {
  await using double = await createRegistryDouble({ sparse: false });
  await using scene = await openSparseZone(double.host);
  await scene.import();
  const { receipt } = (await openOwnReceipts(scene.state).last('zone-b'))!;
  const [record] = scene.medium.records;
  const { name, version, digest } = record!;
  assert.deepEqual(receipt.recipes, [{ name, version, digest, state: 'blocked', code: 'SVC-DST-002' }]);
  const board = planZoneBoard({
    name: 'zone-b',
    wanted: { recipes: [{ name, requested: version, version, digest }], resolvedAt: receipt.issuedAt },
    receipt,
    deliveries: [],
    maxAge: 86_400_000,
    now: Date.parse(receipt.issuedAt),
  });
  assert.deepEqual(
    board.recipes.map(({ state, code }) => [state, code]),
    [['blocked', 'SVC-DST-002']],
  );
  double.options = { ...double.options, sparse: true };
  await scene.import();
  const next = (await openOwnReceipts(scene.state).last('zone-b'))!.receipt;
  assert.deepEqual(
    next.recipes.map(({ state, code }) => [state, code]),
    [['present', undefined]],
  );
});

test('the registry of another address is not known by what this one refused', async () => {
  await using double = await createRegistryDouble({ sparse: false });
  await using scene = await openSparseZone(double.host);
  await scene.import();
  const path = join(scene.state, 'media', 'refused-index.json');
  const kept = JSON.parse(await readFile(path, 'utf8'));
  assert.equal(kept.registry, double.host);
  assert.equal(kept.repository, 'origin.example/worker');
  double.failNext(/^PUT .*worker\/manifests\/1/, 403, { times: 100 });
  await writeFile(path, JSON.stringify({ ...kept, registry: 'other.example' }));
  assert.deepEqual(await scene.import(), ['SVC-REG-003', 'unknown']);
});

test('an unreadable record counts as none', async () => {
  await using double = await createRegistryDouble({ sparse: false });
  await using scene = await openSparseZone(double.host);
  await scene.import();
  double.failNext(/^PUT .*worker\/manifests\/1/, 403, { times: 100 });
  for (const text of ['{', 'null', '{}']) {
    await writeFile(join(scene.state, 'media', 'refused-index.json'), text);
    assert.deepEqual(await scene.import(), ['SVC-REG-003', 'unknown'], text);
  }
});
