import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
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
