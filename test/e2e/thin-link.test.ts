import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import type { Task } from '../../src/contract/task.ts';
import { buildImage, digestsOf } from '../kit/content/content.ts';
import { demand } from '../kit/content/demand.ts';
import { toOrigin } from '../kit/content/origin.ts';
import { eventually } from '../kit/instance/eventually.ts';
import { settleTask } from '../kit/instance/settle-task.ts';
import { scrape } from '../kit/program/scrape.ts';
import { listHeldAt } from '../kit/result/held-at.ts';
import { openRehearsal } from '../kit/scene/rehearsal.ts';

/** A window of half an hour, twelve hours away. */
function farWindow(): string {
  const hour = String((new Date().getUTCHours() + 12) % 24).padStart(2, '0');
  return `${hour}:00-${hour}:30`;
}

test('a synchronization waits for its window, pauses when it closes, and fetches nothing twice', async (t) => {
  await using world = await openRehearsal();
  const double = await world.double();
  const image = buildImage('thin', { layerSize: 1 << 20 });
  const closed = { windows: [farWindow()] };
  const instance = await world.start('mirror', {
    mode: 'mirror',
    retriever: { source: await demand(world, toOrigin(double), { shop: { web: image } }) },
    registries: await world.registries([double.host]),
    trust: world.trust,
    sync: closed,
    network: { rateLimit: '64MiB' },
  });
  const always = { windows: ['00:00-24:00'] };
  const show = async (id: string): Promise<Task> => (await instance.api('GET', `/tasks/${id}`)).body.task;
  const waiting = (id: string): Promise<Task> =>
    eventually('the task waits', async () => {
      const task = await show(id);
      return task.waiting !== undefined && task;
    });

  const inFlight = async (): Promise<number> => (await scrape(instance)).value('svc_sync_transfers_inflight');

  await t.test('outside the windows it waits, and a plan is made all the same', async () => {
    double.requests.length = 0;
    const created = (await instance.api('POST', '/sync', { prune: false })).body.task as Task;
    assert.equal(created.waiting?.reason, 'window', 'also in the answer that it was created');
    const { id } = created;
    const task = await waiting(id);
    assert.equal(task.status, 'pending');
    const { link } = (await instance.api('GET', '/status')).body;
    assert.deepEqual([link.open, link.bytesPerSecond], [false, 64 * 2 ** 20]);
    assert.deepEqual(task.waiting, { reason: 'window', until: link.changesAt });
    assert.equal(double.requests.length, 0);
    const plan = (await instance.api('POST', '/plan', {})).body;
    assert.deepEqual([plan.exit_code, plan.link.open, plan.link.seconds], [5, false, 1]);
    const cancelled = await instance.api('POST', `/tasks/${id}/cancel`, {});
    assert.equal(cancelled.body.task.principalCode, 'SVC-TSK-004');
  });

  await t.test('a window that closes pauses it, and it goes on from where it was', async () => {
    assert.equal((await instance.api('PUT', '/network/windows', always)).status, 200);
    const layer = image.blobs.map((blob) => blob.bytes).toSorted((a, b) => b.length - a.length)[0]!;
    const half = Math.floor(layer.length / 2);
    const begun = Promise.withResolvers<ServerResponse>();
    const ranges: (string | undefined)[] = [];
    const release = double.intercept(({ method, path, headers }, response) => {
      if (method !== 'GET' || !path.includes('/shop/web/blobs/')) return false;
      const digest = path.slice(path.lastIndexOf('/') + 1);
      if (!double.blob('shop/web', digest as `sha256:${string}`)?.equals(layer)) return false;
      ranges.push(headers.range);
      if (headers.range !== undefined) return false;
      response.writeHead(200, { 'content-length': String(layer.length), etag: '"one"' });
      response.write(layer.subarray(0, half));
      begun.resolve(response);
      return true;
    });
    const { id } = (await instance.api('POST', '/sync', { prune: false })).body.task as Task;
    const response = await begun.promise;
    assert.equal(await inFlight(), 1);
    assert.equal((await instance.api('PUT', '/network/windows', closed)).status, 200);
    response.write(layer.subarray(half, half + 1));
    const paused = await waiting(id);
    assert.equal(paused.status, 'running');
    assert.equal(await inFlight(), 0, 'nothing is under way');
    assert.deepEqual(ranges, [undefined]);
    assert.equal((await instance.api('DELETE', '/network/windows')).status, 204);
    assert.equal((await show(id)).waiting?.reason, 'window');
    assert.equal((await instance.api('PUT', '/network/windows', always)).status, 200);
    const task = await settleTask(instance, id);
    assert.equal(task.status, 'done', JSON.stringify(task));
    release();
    assert.deepEqual(ranges, [undefined, `bytes=${half + 1}-${layer.length - 1}`]);
    const place = {
      registry: instance.url,
      repository: `${double.host.replace(':', '_')}/shop/web`,
      authorization: instance.authorization,
    };
    assert.deepEqual(await listHeldAt(place, image), digestsOf(image).sort());
    const { chunk } = (await instance.api('GET', `/tasks/${id}/logs`)).body;
    assert.equal(chunk.match(/waiting for the next window/g)?.length, 1);
    assert.match(instance.log(), /"action":"config\.windows"/);
  });

  await t.test('a shutdown ends a task that waits at once, and it is there after the start', async () => {
    assert.equal((await instance.api('PUT', '/network/windows', closed)).status, 200);
    const { id } = (await instance.api('POST', '/sync', { prune: false })).body.task as Task;
    await waiting(id);
    assert.equal(await instance.stop(), 0);
  });
});
