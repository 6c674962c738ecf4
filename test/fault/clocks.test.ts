import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { buildImage, digestsOf } from '../kit/content/content.ts';
import { demand } from '../kit/content/demand.ts';
import { toOrigin } from '../kit/content/origin.ts';
import { putManifestOverHttp } from '../kit/content/push-artifact.ts';
import type { Instance } from '../kit/instance/instance.ts';
import { listHeldAt } from '../kit/result/held-at.ts';
import { openRehearsal, type Rehearsal } from '../kit/scene/rehearsal.ts';
import { toFaultEnvironment } from './rig/instrumented.ts';

const hour = 3_600_000;
const jumps = [
  ['forward by three days', 72 * hour],
  ['back by three days', -72 * hour],
] as const;

function openClock(world: Rehearsal): {
  readonly env: Record<string, string>;
  set(milliseconds: number): void;
} {
  const clock = world.path('clock');
  const set = (milliseconds: number): void => writeFileSync(clock, `${milliseconds}`);
  set(0);
  return { env: toFaultEnvironment({ roots: [], clock }), set };
}

async function syncOnce(world: Rehearsal, instance: Instance): Promise<void> {
  const { result, task } = await world.sync(instance, '--prune=true');
  assert.equal(result.exitCode, 0, `${result.stderr} ${JSON.stringify(task)}`);
}

for (const [what, jump] of jumps) {
  test(`a clock set ${what} takes nothing from a push that is under way`, async () => {
    await using world = await openRehearsal();
    const clock = openClock(world);
    const double = await world.double();
    const own = buildImage('own');
    const source = await demand(world, toOrigin(double), { app: { own } });
    const config = {
      mode: 'mirror',
      retriever: { source },
      registries: await world.registries([double.host]),
      trust: world.trust,
    };
    const instance = await world.start('zone', config, clock.env);
    const at = { registry: instance.url, repository: 'pushed/image', authorization: instance.authorization };
    const headers = { authorization: instance.authorization };
    const image = buildImage('pushed', { ownLayers: 2 });
    const [config_, first, second] = image.blobs;
    // one blob acknowledged, one half sent, then the clock jumps and a synchronization collects
    const put = async (blob: typeof config_) => {
      const begun = await fetch(`${at.registry}/v2/${at.repository}/blobs/uploads/`, {
        method: 'POST',
        headers,
      });
      const location = new URL(begun.headers.get('location')!, at.registry);
      location.searchParams.set('digest', blob!.descriptor.digest);
      const done = await fetch(location, { method: 'PUT', headers, body: new Uint8Array(blob!.bytes) });
      assert.equal(done.status, 201);
    };
    await put(config_);
    await put(first);
    const begun = await fetch(`${at.registry}/v2/${at.repository}/blobs/uploads/`, {
      method: 'POST',
      headers,
    });
    let location = new URL(begun.headers.get('location')!, at.registry);
    const part = await fetch(location, {
      method: 'PATCH',
      headers,
      body: new Uint8Array(second!.bytes.subarray(0, 1000)),
    });
    assert.equal(part.status, 202);
    location = new URL(part.headers.get('location')!, at.registry);
    clock.set(jump);
    await syncOnce(world, instance);
    location.searchParams.set('digest', second!.descriptor.digest);
    const rest = new Uint8Array(second!.bytes.subarray(1000));
    assert.equal((await fetch(location, { method: 'PUT', headers, body: rest })).status, 201);
    await putManifestOverHttp(at, image.manifest, 'v1');
    assert.deepEqual(await listHeldAt(at, image), digestsOf(image).sort());
    clock.set(0);
    await syncOnce(world, instance);
    assert.deepEqual(await listHeldAt(at, image), digestsOf(image).sort());
    assert.equal(await instance.stop(), 0);
  });

  test(`a clock set ${what} neither gives back attempts nor shuts out who waited`, async () => {
    await using world = await openRehearsal();
    const clock = openClock(world);
    const instance = await world.start('zone', {}, clock.env);
    const authorization = `Basic ${Buffer.from('nobody:wrong').toString('base64')}`;
    const attempt = () => fetch(`${instance.url}/v2/`, { headers: { authorization } });
    for (let n = 0; n < 10; n += 1) assert.equal((await attempt()).status, 401);
    const refused = await attempt();
    assert.equal(refused.status, 429);
    clock.set(jump);
    const still = await attempt();
    assert.equal(still.status, 429, 'the budget is counted on a clock that never jumps');
    const wait = Number(still.headers.get('retry-after'));
    assert.ok(wait > 0 && wait <= 30, `${wait}`);
    assert.equal(await instance.stop(), 0);
  });

  test(`a clock set ${what} starts no synchronization before its time`, async () => {
    await using world = await openRehearsal();
    const clock = openClock(world);
    const double = await world.double();
    const source = await world.retriever('zone', {
      cookbook: `${double.host}/cookbook`,
      recipes: [{ name: 'app', version: '1.0.0' }],
    });
    const config = {
      auth: { disabled: true },
      retriever: { source },
      sync: { interval: '1h' },
      registries: { insecure: [double.host] },
      trust: world.trust,
    };
    const instance = await world.start('zone', config, clock.env);
    clock.set(jump);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const { body } = await instance.api('GET', '/tasks');
    assert.equal(body.total, 0, JSON.stringify(body));
    assert.equal(await instance.stop(), 0);
  });
}
