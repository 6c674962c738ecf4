import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { Task } from '../../src/contract/task.ts';
import { buildIndex, digestsOf } from '../kit/content/content.ts';
import { demand } from '../kit/content/demand.ts';
import { toOrigin } from '../kit/content/origin.ts';
import { eventually } from '../kit/instance/eventually.ts';
import type { Instance } from '../kit/instance/instance.ts';
import { tlsPair } from '../kit/program/tls-pair.ts';
import { listHeldAt } from '../kit/result/held-at.ts';
import { openRehearsal } from '../kit/scene/rehearsal.ts';

// this process asks the TLS registry too
setDefaultCACertificates([...getCACertificates('default'), tlsPair.ca]);

const fixtures = join(import.meta.dirname, '..', 'fixtures', 'tls');

const listTasks = async (instance: Instance): Promise<readonly Task[]> =>
  (await instance.api('GET', '/tasks?pageSize=200')).body.tasks as readonly Task[];

const listDone = async (instance: Instance): Promise<readonly Task[]> =>
  (await listTasks(instance)).filter(({ status }) => status === 'done' || status === 'failed');

test('an interval loop promotes into a TLS registry with a private authority', async (t) => {
  await using world = await openRehearsal();
  const double = await world.double();
  const origin = toOrigin(double);
  const image = buildIndex('loop', ['linux/amd64', 'linux/arm64']);
  const registry = await world.start('registry', {
    server: {
      addr: '127.0.0.1:0',
      tls: { certFile: join(fixtures, 'leaf.pem'), keyFile: join(fixtures, 'leaf-key.pem') },
    },
  });
  assert.match(registry.url, /^https:/);
  const retriever = await demand(world, origin, { shop: { web: image } });
  const { credentialsFile } = await world.registries([registry.host]);
  const config = {
    retriever: { source: retriever },
    registries: { insecure: [origin.host], credentialsFile },
    destination: { registry: registry.host, basePath: 'mirror' },
    trust: world.trust,
    sync: { interval: '1s' },
    network: { tls: { caFiles: [tlsPair.caFile] } },
  };
  const place = {
    registry: registry.url,
    repository: `mirror/${origin.host.replace(':', '_')}/shop/web`,
    authorization: registry.authorization,
  };

  await t.test('without the authority nothing is promoted, and the run fails', async () => {
    const zone = await world.start('untrusting', { ...config, network: {}, sync: { interval: '0' } });
    const { result, task } = await world.sync(zone);
    assert.equal(result.exitCode, 1, result.stderr);
    assert.equal(task.principalCode, 'SVC-REG-002');
    assert.deepEqual(await listHeldAt(place, image), []);
    await zone.stop();
  });

  let zone = await world.start('zone', config);
  await t.test('the loop promotes by itself, and moves nothing the second time', async () => {
    const done = await eventually('two cycles', async () => {
      const tasks = await listDone(zone);
      return tasks.length >= 2 && tasks;
    });
    const [first, second] = [...done].sort((a, b) => a.createdAt.localeCompare(b.createdAt));
    assert.equal(first!.status, 'done', JSON.stringify(first));
    assert.ok(first!.progress.bytesDone > 0);
    assert.equal(second!.status, 'done');
    assert.equal(second!.progress.bytesDone, 0);
    assert.deepEqual(
      second!.resolutions!.map(({ destinationStatus }) => destinationStatus),
      ['up-to-date', 'up-to-date'],
    );
    assert.deepEqual(await listHeldAt(place, image), digestsOf(image).sort());
  });

  await t.test('an interval changed at run time counts at once', async () => {
    assert.equal((await zone.api('PUT', '/retriever/interval', { interval: '10s' })).status, 422);
    const changed = await zone.api('PUT', '/retriever/interval', { interval: '1h' });
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    const { fingerprint, ...interval } = changed.body.interval;
    assert.match(fingerprint, /^sha256:[0-9a-f]{64}$/);
    assert.deepEqual(interval, {
      effective: '1h',
      configured: '1s',
      overridden: true,
      enabled: true,
      minimum: '1m',
    });
    assert.match(zone.log(), /"action":"config\.interval"/);
    await eventually(
      'the last cycle',
      async () => (await listDone(zone)).length === (await listTasks(zone)).length,
    );
    const before = (await listTasks(zone)).length;
    await pause(2200);
    assert.equal((await listTasks(zone)).length, before, 'two configured intervals passed without a cycle');
  });

  await t.test('and is kept over a restart', async () => {
    assert.equal(await zone.stop(), 0);
    zone = await world.start('zone', config);
    const before = (await listTasks(zone)).length;
    assert.equal((await zone.api('GET', '/retriever')).body.interval.effective, '1h');
    await pause(1500);
    assert.equal((await listTasks(zone)).length, before);
  });

  await t.test('until it is removed', async () => {
    const before = (await listTasks(zone)).length;
    assert.equal((await zone.api('DELETE', '/retriever/interval')).status, 204);
    assert.equal((await zone.api('GET', '/retriever')).body.interval.overridden, false);
    await eventually('a cycle', async () => (await listDone(zone)).length > before);
  });

  await t.test('zero parks the loop', async () => {
    const parked = await zone.api('PUT', '/retriever/interval', { interval: '0' });
    assert.equal(parked.body.interval.enabled, false);
  });
});
