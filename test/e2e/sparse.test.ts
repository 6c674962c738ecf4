import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Task } from '../../src/contract/task.ts';
import { buildIndex, digestsOf } from '../kit/content/content.ts';
import { publishRecipe, toOrigin } from '../kit/content/origin.ts';
import { listHeldAt, pullBytes } from '../kit/result/held-at.ts';
import { openRehearsal } from '../kit/scene/rehearsal.ts';

const all = ['linux/amd64', 'linux/arm64', 'linux/s390x'];

test('an image carried for two of three platforms keeps its index digest and can be topped up', async (t) => {
  await using world = await openRehearsal({ inProcess: true });
  const image = buildIndex('sparse', all, { layerSize: 200_000 });
  const [, , third] = image.children;
  const digest = image.manifest.descriptor.digest;
  const missing = digestsOf(third!.artifact).filter(
    (one) => !image.children.slice(0, 2).some(({ artifact }) => digestsOf(artifact).includes(one)),
  );
  const some = digestsOf(image).filter((one) => !missing.includes(one));
  assert.equal(missing.length, 3, 'a manifest, a configuration and a layer of its own');

  const double = await world.double();
  const origin = toOrigin(double);
  await origin.put('shop/web', image, '1.0');
  const publish = (version: string, platforms?: readonly string[]) =>
    publishRecipe(origin, {
      name: 'shop',
      version,
      ingredients: [
        {
          name: 'web',
          repository: 'shop/web',
          version: '1.0',
          digest,
          ...(platforms === undefined ? {} : { platforms }),
        },
      ],
      signatures: [{ signer: world.signer }],
    });
  await publish('1.0.0', all.slice(0, 2));

  const retriever = await world.retriever('zone-b', {
    cookbook: `${origin.host}/cookbook`,
    recipes: [{ name: 'shop', version: '^1' }],
  });
  const medium = world.path('medium');
  const registry = await world.start('zone-registry');
  const mirror = await world.start('mirror', {
    mode: 'mirror',
    storage: { root: medium },
    retriever: { source: retriever },
    registries: await world.registries([origin.host]),
    trust: world.trust,
  });
  const importer = await world.configure('importer', {
    mode: 'mirror',
    zone: 'zone-b',
    storage: { root: medium },
    registries: await world.registries([registry.host]),
    destination: { registry: registry.host },
    trust: world.trust,
  });
  const path = `${origin.host.replace(':', '_')}/shop/web`;
  const inStore = { registry: mirror.url, repository: path, authorization: mirror.authorization };
  const inZone = { registry: registry.url, repository: path, authorization: registry.authorization };
  const carry = async (): Promise<Task> => {
    const { exitCode, stdout, stderr } = await world.svc([
      'media',
      'import',
      '--config',
      importer,
      '--output',
      'json',
    ]);
    assert.equal(exitCode, 0, stderr + stdout);
    return (JSON.parse(stdout) as { task: Task }).task;
  };

  await t.test('a synchronization brings the two platforms and the index as it is', async () => {
    const { result } = await world.sync(mirror);
    assert.equal(result.exitCode, 0, result.stderr);
    assert.deepEqual(await listHeldAt(inStore, image), [...some].sort());
    assert.deepEqual(await pullBytes(inStore, 'manifests', '1.0'), image.manifest.bytes);
    for (const absent of missing) assert.equal(double.count(new RegExp(absent)), 0, 'it was not asked for');
  });

  await t.test('the medium carries it sparse into the zone', async () => {
    await mirror.stop();
    await carry();
    assert.deepEqual(await listHeldAt(inZone, image), [...some].sort());
    assert.deepEqual(await pullBytes(inZone, 'manifests', '1.0'), image.manifest.bytes);
  });

  await t.test('a recipe that asks for all platforms moves only what is missing', async () => {
    await publish('1.1.0');
    const again = await world.start('mirror', {
      mode: 'mirror',
      storage: { root: medium },
      retriever: { source: retriever },
      registries: await world.registries([origin.host]),
      trust: world.trust,
    });
    double.requests.length = 0;
    const { result } = await world.sync(again);
    assert.equal(result.exitCode, 0, result.stderr);
    const at = { ...inStore, registry: again.url };
    assert.deepEqual(await listHeldAt(at, image), digestsOf(image).sort());
    const asked = double.requests
      .filter(({ method, path: one }) => method === 'GET' && one.includes('/shop/web/blobs/'))
      .map(({ path: one }) => one.split('/').at(-1)!);
    const blobs = third!.artifact.blobs.map(({ descriptor }) => descriptor.digest as string);
    assert.deepEqual([...asked].sort(), blobs.filter((one) => missing.some((each) => each === one)).sort());
    assert.equal(await again.stop(), 0);
  });

  await t.test('the next medium tops the zone up', async () => {
    const task = await carry();
    const size = (one: string) =>
      [third!.artifact.manifest, ...third!.artifact.blobs].find(
        ({ descriptor }) => descriptor.digest === one,
      )!.descriptor.size;
    const worth = missing.reduce((sum, one) => sum + size(one), 0);
    assert.ok(task.progress.bytesDone >= worth);
    assert.ok(task.progress.bytesDone < worth + 20_000, `${task.progress.bytesDone} for ${worth} missing`);
    assert.deepEqual(await listHeldAt(inZone, image), digestsOf(image).sort());
  });
});
