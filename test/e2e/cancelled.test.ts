import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Task } from '../../src/contract/task.ts';
import { checkContent } from '../../src/store/repair/check-content.ts';
import { buildImage, buildIndex, digestsOf, seededBytes, toBlob } from '../kit/content/content.ts';
import { demand, toDemand } from '../kit/content/demand.ts';
import { toOrigin } from '../kit/content/origin.ts';
import { eventually } from '../kit/instance/eventually.ts';
import { openStoreAt } from '../kit/instance/open-store-at.ts';
import { settleTask } from '../kit/instance/settle-task.ts';
import { listHeldAt } from '../kit/result/held-at.ts';
import type { RegistryDouble } from '../kit/result/registry-double.ts';
import { openRehearsal } from '../kit/scene/rehearsal.ts';

/** Holds every answer to a matching request, after `free` of them went through, until it is released. */
function holdAfter(double: RegistryDouble, pattern: RegExp, free: number) {
  const { promise: held, resolve } = Promise.withResolvers<void>();
  let seen = 0;
  const release = double.intercept(({ method, path }) => {
    if (!pattern.test(`${method} ${path}`)) return false;
    seen += 1;
    if (seen <= free) return false;
    resolve();
    return true;
  });
  return { held, release };
}

async function listBlobs(root: string): Promise<ReadonlySet<string>> {
  const names = await readdir(join(root, 'blobs', 'sha256')).catch(() => []);
  return new Set(names.map((name) => `sha256:${name}`));
}

for (const [when, pattern, free] of [
  ['while versions are resolved', /GET .*\/cookbook\/.*\/manifests\//, 1],
  ['before the first blob', /GET .*\/shop\/.*\/blobs\//, 0],
  ['after five blobs', /GET .*\/shop\/.*\/blobs\//, 5],
] as const) {
  test(`a synchronization cancelled ${when} ends at once, leaves nothing half, and the next one goes on from it`, async () => {
    await using world = await openRehearsal();
    const double = await world.double();
    const images = new Map(
      ['one', 'two', 'three'].map((name) => [name, buildIndex(name, ['linux/amd64', 'linux/arm64'])]),
    );
    const root = world.path('store');
    const config = {
      mode: 'mirror',
      storage: { root },
      retriever: { source: await demand(world, toOrigin(double), toDemand(images)) },
      registries: await world.registries([double.host]),
      trust: world.trust,
      sync: { parallelism: 1 },
    };
    const { held, release } = holdAfter(double, pattern, free);
    const instance = await world.start('mirror', config);
    const { id } = (await instance.api('POST', '/sync', { prune: true })).body.task as Task;
    await held;
    const cancelled = await instance.api('POST', `/tasks/${id}/cancel`, {});
    assert.equal(cancelled.status, 200, JSON.stringify(cancelled.body));
    const ended = await settleTask(instance, id);
    assert.deepEqual([ended.status, ended.principalCode], ['cancelled', 'SVC-TSK-004']);
    assert.match(instance.log(), /"action":"task.cancel"[^\n]*"outcome":"success"/);
    release();
    assert.deepEqual((await instance.api('GET', '/recipes')).body.recipes, []);
    const arrived = await listBlobs(root);
    double.requests.length = 0;

    const { body } = await instance.api('POST', '/sync', { prune: true });
    const task = await settleTask(instance, body.task.id);
    assert.equal(task.status, 'done', JSON.stringify(task.items));
    for (const { method, path } of double.requests) {
      const digest = /\/blobs\/(sha256:[0-9a-f]+)$/.exec(path)?.[1];
      if (method === 'GET' && digest !== undefined)
        assert.ok(!arrived.has(digest), `${digest} had arrived and was asked for again`);
    }
    for (const [name, image] of images) {
      const repository = `${double.host.replace(':', '_')}/shop/${name}`;
      const place = { registry: instance.url, repository, authorization: instance.authorization };
      assert.deepEqual(await listHeldAt(place, image), digestsOf(image).sort());
    }
    assert.equal(await instance.stop(), 0);
    await using store = await openStoreAt({ root, stateRoot: join(world.path('mirror'), 'state') });
    for await (const { name, problems } of checkContent(store)) assert.deepEqual(problems, [], name);
  });
}

test('a large blob goes on from where a cancelled synchronization had it', async () => {
  await using world = await openRehearsal();
  const double = await world.double();
  const mib = 1 << 20;
  const large = toBlob(seededBytes('large', 24 * mib), 'application/vnd.oci.image.layer.v1.tar');
  const image = buildImage('large', { layers: [large] });
  const { digest } = large.descriptor;
  const remove = double.intercept(({ method, path }, response) => {
    if (method !== 'GET' || !path.endsWith(digest)) return false;
    const etag = `"${digest.slice(7, 19)}"`;
    response.writeHead(200, { 'content-length': large.bytes.length, 'accept-ranges': 'bytes', etag });
    response.write(large.bytes.subarray(0, 12 * mib));
    return true;
  });
  const instance = await world.start('mirror', {
    mode: 'mirror',
    retriever: { source: await demand(world, toOrigin(double), { app: { large: image } }) },
    registries: await world.registries([double.host]),
    trust: world.trust,
    transfer: { resumeThreshold: '1MiB' },
  });
  const { id } = (await instance.api('POST', '/sync', { prune: true })).body.task as Task;
  const state = join(world.path('mirror'), 'state', 'downloads', `${digest.replace(':', '-')}.state`);
  await eventually('a durable part', async () => {
    const text = await readFile(state, 'utf8').catch(() => '');
    return Number(/"received":(\d+)/.exec(text)?.[1] ?? 0) >= 8 * mib;
  });
  await instance.api('POST', `/tasks/${id}/cancel`, {});
  assert.equal((await settleTask(instance, id)).principalCode, 'SVC-TSK-004');
  remove();
  double.requests.length = 0;
  const { body } = await instance.api('POST', '/sync', { prune: true });
  assert.equal((await settleTask(instance, body.task.id)).status, 'done');
  const asked = double.requests.filter(({ method, path }) => method === 'GET' && path.endsWith(digest));
  assert.equal(asked.length, 1);
  assert.match(String(asked[0]!.headers.range), /^bytes=[1-9]/);
  assert.equal(await instance.stop(), 0);
});
