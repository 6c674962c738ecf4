import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSvcError } from '../../src/text/error.ts';
import { putMixed } from '../kit/content/mixed-index.ts';
import { openImportScene } from '../kit/scene/import-scene.ts';

test('a unit import offers the platforms of nested indexes and of children that name none, and brings those chosen', async () => {
  await using world = await openImportScene();
  const { origin } = world.scene;
  const mixed = putMixed(world.scene);
  const reference = `${origin.host}/library/app:1.0`;
  const inspect = async () => (await world.inspect(reference)).platforms;
  const offered = await inspect();
  assert.deepEqual(
    offered.map(({ name, digest, status }) => [name, digest, status]),
    [
      ['linux/amd64', mixed.amd64.digest, 'new'],
      ['linux/ppc64le', mixed.ppc64le.digest, 'new'],
      ['linux/s390x', mixed.s390x.digest, 'new'],
      ['linux/arm64', mixed.arm64.digest, 'new'],
    ],
  );
  const platforms = offered
    .filter(({ name }) => name === 'linux/s390x' || name === 'linux/arm64')
    .map(({ name, digest }) => ({ name, digest }));
  await world.run({ reference, platforms });
  const { index } = world.store;
  const names = ['root', 'nested', 'amd64', 'arm64', 'ppc64le', 's390x'] as const;
  assert.deepEqual(
    names.filter((name) => index.manifest(mixed[name].digest) !== undefined),
    ['root', 'nested', 'arm64', 's390x'],
  );
  assert.deepEqual(
    (await inspect()).map(({ name, status }) => [name, status]),
    [
      ['linux/amd64', 'new'],
      ['linux/ppc64le', 'new'],
      ['linux/s390x', 'up-to-date'],
      ['linux/arm64', 'up-to-date'],
    ],
  );
});

test('a platform of a nested index that was rebuilt since it was inspected fails by its name', async () => {
  await using world = await openImportScene();
  const reference = `${world.scene.origin.host}/library/app:1.0`;
  putMixed(world.scene);
  const { platforms } = await world.inspect(reference);
  const { name, digest } = platforms.find((one) => one.name === 'linux/s390x')!;
  putMixed(world.scene);
  await assert.rejects(world.run({ reference, platforms: [{ name, digest }] }), (error: unknown) => {
    assert.ok(isSvcError(error, 'SVC-SIG-002'), String(error));
    assert.match(String(error.params.reference), /linux\/s390x$/);
    return true;
  });
});

test('an outdated local tag is reported for each platform of a nested index', async () => {
  await using world = await openImportScene();
  const reference = `${world.scene.origin.host}/library/app:1.0`;
  putMixed(world.scene);
  await world.take(reference);
  putMixed(world.scene);
  const { platforms } = await world.inspect(reference);
  assert.deepEqual([...new Set(platforms.map(({ status }) => status))], ['outdated']);
});
