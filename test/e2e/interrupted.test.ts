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

/** Digests of the blobs that stand whole in a store. */
async function listBlobs(root: string): Promise<readonly string[]> {
  const names = await readdir(join(root, 'blobs', 'sha256')).catch(() => []);
  return names.map((name) => `sha256:${name}`);
}

/** Holds every answer to a matching request for good, after `free` of them went through. */
function holdAfter(
  double: RegistryDouble,
  pattern: RegExp,
  free: number,
): { held: Promise<void>; release(): void } {
  const { promise: held, resolve } = Promise.withResolvers<void>();
  let seen = 0;
  const remove = double.intercept((request) => {
    if (!pattern.test(`${request.method} ${request.path}`)) return false;
    seen += 1;
    if (seen <= free) return false;
    resolve();
    return true;
  });
  return { held, release: remove };
}

async function checkClean(root: string, stateRoot: string): Promise<void> {
  await using store = await openStoreAt({ root, stateRoot });
  assert.equal(store.readOnly, undefined);
  let steps = 0;
  for await (const { name, problems } of checkContent(store)) {
    assert.deepEqual(problems, [], name);
    steps += 1;
  }
  assert.ok(steps > 0);
}

const points: readonly { readonly when: string; readonly pattern: RegExp; readonly free: number }[] = [
  { when: 'while versions are resolved', pattern: /GET .*\/cookbook\/.*\/manifests\//, free: 1 },
  { when: 'before the first blob', pattern: /GET .*\/shop\/.*\/blobs\//, free: 0 },
  { when: 'after five blobs', pattern: /GET .*\/shop\/.*\/blobs\//, free: 5 },
  { when: 'before the last blob', pattern: /GET .*\/shop\/.*\/blobs\//, free: 14 },
];

for (const { when, pattern, free } of points) {
  test(`a synchronization killed ${when} is resumed and completes`, async () => {
    await using world = await openRehearsal();
    const double = await world.double();
    const images = new Map(
      ['one', 'two', 'three', 'four'].map((name, i) => [
        name,
        i === 3 ? buildImage(name, { ownLayers: 3 }) : buildIndex(name, ['linux/amd64', 'linux/arm64']),
      ]),
    );
    const retriever = await demand(world, toOrigin(double), toDemand(images));
    const root = world.path('store');
    const config = {
      mode: 'mirror',
      storage: { root },
      retriever: { source: retriever },
      registries: await world.registries([double.host]),
      trust: world.trust,
      sync: { parallelism: 1 },
    };
    const { held, release } = holdAfter(double, pattern, free);
    const first = await world.start('mirror', config);
    // with the choice of a prune nothing is previewed, which would ask the source too
    const { status, body } = await first.api('POST', '/sync', { prune: true });
    assert.equal(status, 201, JSON.stringify(body));
    const { id } = body.task as Task;
    await held;
    await first.kill();
    release();
    const arrived = new Set(await listBlobs(root));
    if (free >= 5) assert.ok(arrived.size > 0, 'something had arrived');
    double.requests.length = 0;

    const second = await world.start('mirror', config);
    const task = await settleTask(second, id);
    assert.equal(task.status, 'done', JSON.stringify(task.items));
    assert.equal(task.resumed, true);
    assert.equal(task.counts.failed, 0);
    for (const { method, path } of double.requests) {
      const digest = /\/blobs\/(sha256:[0-9a-f]+)$/.exec(path)?.[1];
      if (method === 'GET' && digest !== undefined)
        assert.ok(!arrived.has(digest), `${digest} had arrived and was asked for again`);
    }
    for (const [name, image] of images) {
      const place = {
        registry: second.url,
        repository: `${double.host.replace(':', '_')}/shop/${name}`,
        authorization: second.authorization,
      };
      assert.deepEqual(await listHeldAt(place, image), digestsOf(image).sort());
    }
    assert.equal(await second.stop(), 0);
    await checkClean(root, join(world.path('mirror'), 'state'));
  });
}

test('a large blob goes on from where a killed process had it', async () => {
  await using world = await openRehearsal();
  const double = await world.double();
  const mib = 1 << 20;
  const large = toBlob(seededBytes('large', 24 * mib), 'application/vnd.oci.image.layer.v1.tar');
  const image = buildImage('large', { layers: [large] });
  const retriever = await demand(world, toOrigin(double), { large: { large: image } });
  const root = world.path('store');
  const config = {
    mode: 'mirror',
    storage: { root },
    retriever: { source: retriever },
    registries: await world.registries([double.host]),
    trust: world.trust,
    transfer: { resumeThreshold: '1MiB' },
  };
  const { digest } = large.descriptor;
  const remove = double.intercept((request, response) => {
    if (request.method !== 'GET' || !request.path.endsWith(digest)) return false;
    response.writeHead(200, {
      'content-length': large.bytes.length,
      'accept-ranges': 'bytes',
      etag: `"${digest.slice(7, 19)}"`,
    });
    response.write(large.bytes.subarray(0, 12 * mib));
    return true;
  });
  const first = await world.start('mirror', config);
  const { id } = (await first.api('POST', '/sync', {})).body.task as Task;
  const state = join(world.path('mirror'), 'state', 'downloads', `${digest.replace(':', '-')}.state`);
  const durable = await eventually('a durable part', async () => {
    const text = await readFile(state, 'utf8').catch(() => '');
    const received = Number(/"received":(\d+)/.exec(text)?.[1] ?? 0);
    return received >= 8 * mib && received;
  });
  await first.kill();
  remove();
  double.requests.length = 0;

  const second = await world.start('mirror', config);
  const task = await settleTask(second, id);
  assert.equal(task.status, 'done', JSON.stringify(task));
  assert.equal(task.resumed, true);
  const asked = double.requests.filter(({ method, path }) => method === 'GET' && path.endsWith(digest));
  assert.equal(asked.length, 1);
  const from = Number(/^bytes=(\d+)-\d+$/.exec(asked[0]!.headers.range ?? '')?.[1]);
  assert.ok(from >= durable, `asked from ${from}, ${durable} were durable`);
  assert.equal(asked[0]!.headers['if-range'], `"${digest.slice(7, 19)}"`);
  assert.equal(asked[0]!.status, 206);
  assert.deepEqual(
    task.items.flatMap(({ blobs = [] }) => blobs),
    [{ digest, sizeBytes: 24 * mib, receivedBytes: 24 * mib, resumed: true, done: true }],
  );
  await second.stop();
  await checkClean(root, join(world.path('mirror'), 'state'));
});

test('a synchronization under way when the instance is told to end is resumed too', async () => {
  await using world = await openRehearsal();
  const double = await world.double();
  const images = new Map([['one', buildImage('drained', { ownLayers: 3 })]]);
  const retriever = await demand(world, toOrigin(double), toDemand(images));
  const config = {
    mode: 'mirror',
    retriever: { source: retriever },
    registries: await world.registries([double.host]),
    trust: world.trust,
    sync: { parallelism: 1 },
    shutdown: { gracePeriod: '500ms' },
  };
  const { held, release } = holdAfter(double, /GET .*\/shop\/.*\/blobs\//, 2);
  const first = await world.start('mirror', config);
  const { id } = (await first.api('POST', '/sync', {})).body.task as Task;
  await held;
  assert.equal(await first.stop(), 0, 'a drain ends well, whatever is under way');
  release();
  const second = await world.start('mirror', config);
  const task = await settleTask(second, id);
  assert.equal(task.status, 'done', JSON.stringify(task));
  assert.equal(task.resumed, true);
});

test('an import that was killed is repeated, and moves only what is missing', async () => {
  await using world = await openRehearsal();
  const double = await world.double();
  const images = new Map(
    ['one', 'two', 'three'].map((name) => [name, buildIndex(name, ['linux/amd64', 'linux/arm64'])]),
  );
  const medium = world.path('medium');
  const mirror = await world.start('mirror', {
    mode: 'mirror',
    storage: { root: medium },
    retriever: { source: await demand(world, toOrigin(double), toDemand(images)) },
    registries: await world.registries([double.host]),
    trust: world.trust,
  });
  assert.equal((await world.sync(mirror)).result.exitCode, 0);
  await mirror.stop();

  const zone = await world.double();
  const config = await world.configure('zone', {
    mode: 'mirror',
    zone: 'zone-b',
    storage: { root: medium },
    registries: await world.registries([zone.host]),
    destination: { registry: zone.host },
    trust: world.trust,
    sync: { parallelism: 1 },
  });
  const { held, release } = holdAfter(zone, /PUT .*\/blobs\/uploads\//, 4);
  const abort = new AbortController();
  const killed = world.svc(['media', 'import', '--config', config], { signal: abort.signal });
  await held;
  abort.abort();
  assert.equal((await killed).signal, 'SIGKILL');
  release();
  const landed = new Set(
    zone.repositories().flatMap((name) =>
      [...images.values()]
        .flatMap(digestsOf)
        .filter((digest) => zone.blob(name, digest) !== undefined)
        .map((digest) => `${name} ${digest}`),
    ),
  );
  assert.ok(landed.size >= 4);
  assert.equal(zone.count(/PUT .*\/cookbook\//), 0, 'no recipe before its ingredients');
  zone.requests.length = 0;

  const again = await world.svc(['media', 'import', '--config', config, '--output', 'json']);
  assert.equal(again.exitCode, 0, again.stderr);
  for (const { method, path } of zone.requests) {
    const match = /^\/v2\/(.+)\/blobs\/uploads\/.*digest=(sha256(?::|%3A)[0-9a-f]+)/i.exec(path);
    if (method !== 'PUT' || match === null) continue;
    const digest = decodeURIComponent(match[2]!);
    assert.ok(!landed.has(`${match[1]} ${digest}`), `${digest} had landed and was pushed again`);
  }
  for (const [name, image] of images)
    assert.equal(
      zone.manifest(`${double.host.replace(':', '_')}/shop/${name}`, '1.0')!.digest,
      image.manifest.descriptor.digest,
    );
});
