import assert from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import type { MediumReport } from '../../../src/contract/medium.ts';
import { buildImage } from '../content/content.ts';
import { publishRecipe, toOrigin } from '../content/origin.ts';
import type { Rehearsal } from './rehearsal.ts';

/**
 * The whole journey of one signed recipe, from a registry by way of a mirror onto a medium. It is carried, verified and
 * imported into the registry of a zone. Every program in it is `svc` as the tests start it.
 */
export async function crossTheGap(world: Rehearsal): Promise<void> {
  const origin = toOrigin(await world.double());
  const image = buildImage('gap', { layerSize: 100_000 });
  const { digest } = image.manifest.descriptor;
  await origin.put('shop/web', image, '1.0');
  await publishRecipe(origin, {
    name: 'shop',
    version: '1.0.0',
    ingredients: [{ name: 'web', repository: 'shop/web', version: '1.0', digest }],
    signatures: [{ signer: world.signer }],
  });
  const source = await world.retriever('zone', {
    cookbook: `${origin.host}/cookbook`,
    recipes: [{ name: 'shop', version: '^1.0' }],
  });
  const mirror = await world.start('mirror', {
    mode: 'mirror',
    storage: { root: world.path('medium') },
    retriever: { source },
    registries: await world.registries([origin.host]),
    trust: world.trust,
  });
  const { result, task } = await world.sync(mirror);
  assert.equal(result.exitCode, 0, result.stderr);
  assert.equal(task.counts.failed, 0);
  assert.equal(await mirror.stop(), 0, mirror.log());

  const carried = world.path('carried');
  await cp(world.path('medium'), carried, { recursive: true });
  const registry = await world.start('registry');
  const config = await world.configure('zone-side', {
    mode: 'mirror',
    zone: 'zone-b',
    storage: { root: carried },
    registries: await world.registries([registry.host]),
    destination: { registry: registry.host },
    trust: world.trust,
  });
  const verified = await world.svc(['media', 'verify', '--config', config, '--output', 'json']);
  assert.equal(verified.exitCode, 0, verified.stderr);
  assert.equal((JSON.parse(verified.stdout) as MediumReport).verdict, 'pushable');
  const imported = await world.svc(['media', 'import', '--config', config, '--output', 'json']);
  assert.equal(imported.exitCode, 0, imported.stderr);
  const arrived = await fetch(`${registry.url}/v2/${origin.host.replace(':', '_')}/shop/web/manifests/1.0`, {
    headers: { authorization: registry.authorization },
  });
  assert.equal(arrived.headers.get('docker-content-digest'), digest);
  assert.equal(await registry.stop(), 0, registry.log());
}
