import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { get, type IncomingMessage, request } from 'node:http';
import { Agent, get as getSecurely, request as requestSecurely } from 'node:https';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from 'node:tls';
import { createSelfSigned } from '../../src/certificate/self-signed.ts';
import type { Task } from '../../src/contract/task.ts';
import { buildImage, digestsOf } from '../kit/content/content.ts';
import { demand } from '../kit/content/demand.ts';
import { toOrigin } from '../kit/content/origin.ts';
import { eventually } from '../kit/instance/eventually.ts';
import { settleTask } from '../kit/instance/settle-task.ts';
import { listHeldAt } from '../kit/result/held-at.ts';
import { openRehearsal } from '../kit/scene/rehearsal.ts';
import { checkStoreAt } from './rig/check-store.ts';

const sha256 = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

function answerOf(asked: ReturnType<typeof request>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    asked.on('response', resolve);
    asked.on('error', reject);
  });
}

async function readAll(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

test('SIGTERM under load: readiness turns first, what is in flight ends, the task goes on after the restart', async () => {
  await using world = await openRehearsal();
  const double = await world.double();
  const wanted = buildImage('wanted', { ownLayers: 3 });
  const source = await demand(world, toOrigin(double), { app: { wanted } });
  const config = {
    mode: 'mirror',
    auth: { disabled: true },
    retriever: { source },
    registries: await world.registries([double.host]),
    trust: world.trust,
    shutdown: { gracePeriod: '6s' },
    sync: { parallelism: 1 },
  };
  const first = await world.start('zone', config);
  const exited = new Promise<number | null>((resolve) => first.process.on('close', resolve));
  const upload = async (): Promise<URL> => {
    const begun = await fetch(`${first.url}/v2/load/blobs/uploads/`, { method: 'POST' });
    return new URL(begun.headers.get('location')!, first.url);
  };
  const large = randomBytes(48 << 20);
  const place = await upload();
  place.searchParams.set('digest', sha256(large));
  assert.equal((await fetch(place, { method: 'PUT', body: new Uint8Array(large) })).status, 201);

  // a pull that reads nothing for a while, a push that sends half, a synchronization that waits for its source
  const pull = await answerOf(get(`${first.url}/v2/load/blobs/${sha256(large)}`));
  pull.pause();
  const pushed = randomBytes(2 << 20);
  const target = await upload();
  target.searchParams.set('digest', sha256(pushed));
  const push = request(target, { method: 'PUT', headers: { 'content-length': pushed.length } });
  push.write(pushed.subarray(0, 1 << 20));
  const { promise: held, resolve } = Promise.withResolvers<void>();
  let blobs = 0;
  const release = double.intercept(({ method, path }) => {
    if (method !== 'GET' || !/shop\/.*\/blobs\//.test(path)) return false;
    blobs += 1;
    if (blobs < 3) return false;
    resolve();
    return true;
  });
  const { body } = await first.api('POST', '/sync', {});
  await held;
  assert.equal((await fetch(`${first.url}/readyz`)).status, 200);

  const start = performance.now();
  first.process.kill('SIGTERM');
  await eventually('readiness to turn', async () => (await fetch(`${first.url}/readyz`)).status === 503);
  assert.equal(first.process.exitCode, null, 'it says so while it still works');
  assert.equal((await fetch(`${first.url}/v2/`)).status, 503);
  assert.equal((await fetch(`${first.url}/healthz`)).status, 200);
  await pause(500);
  const answer = answerOf(push);
  push.end(pushed.subarray(1 << 20));
  assert.equal((await answer).statusCode, 201, 'a push in flight ended');
  assert.equal(sha256(await readAll(pull)), sha256(large), 'a pull in flight got all of it');
  assert.equal(await exited, 0);
  const seconds = (performance.now() - start) / 1000;
  assert.ok(seconds < 8, `${seconds} s`);
  release();

  await checkStoreAt(join(world.path('zone'), 'store'), join(world.path('zone'), 'state'), (store) => {
    assert.equal(store.index.sizeOf(sha256(pushed) as `sha256:${string}`), pushed.length);
  });
  double.requests.length = 0;
  const second = await world.start('zone', config);
  const task: Task = await settleTask(second, body.task.id);
  assert.equal(task.status, 'done', JSON.stringify(task));
  assert.equal(task.resumed, true);
  const again = double.count(/^GET .*shop\/.*\/blobs\//);
  assert.equal(again, wanted.blobs.length - 2, 'what had arrived was not moved again');
  const repository = `${double.host.replace(':', '_')}/shop/wanted`;
  assert.deepEqual(await listHeldAt({ registry: second.url, repository }, wanted), digestsOf(wanted).sort());
  assert.equal(await second.stop(), 0);
});

test('what does not end within the grace is cut, and the instance still ends with 0', async () => {
  await using world = await openRehearsal();
  const instance = await world.start('zone', { auth: { disabled: true }, shutdown: { gracePeriod: '1s' } });
  const exited = new Promise<number | null>((resolve) => instance.process.on('close', resolve));
  const begun = await fetch(`${instance.url}/v2/load/blobs/uploads/`, { method: 'POST' });
  const target = new URL(begun.headers.get('location')!, instance.url);
  const push = request(target, { method: 'PATCH', headers: { 'content-length': 1 << 20 } });
  const cut = new Promise<Error>((resolve) => push.on('error', resolve));
  push.write(randomBytes(1000));
  await pause(100);
  const start = performance.now();
  instance.process.kill('SIGTERM');
  assert.equal(await exited, 0);
  await cut;
  const seconds = (performance.now() - start) / 1000;
  assert.ok(seconds >= 0.9 && seconds < 5, `${seconds} s`);
  await checkStoreAt(join(world.path('zone'), 'store'), join(world.path('zone'), 'state'));
});

test('a certificate is replaced under load without a failed request', async (t) => {
  await using world = await openRehearsal();
  const instance = await world.start('zone', {
    auth: { disabled: true },
    server: { addr: '127.0.0.1:0', tls: { enabled: true } },
  });
  assert.match(instance.url, /^https:/);
  const { hostname, port } = new URL(instance.url);
  const readFingerprint = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false }, () => {
        resolve(socket.getPeerX509Certificate()!.fingerprint256);
        socket.end();
      });
      socket.on('error', reject);
    });
  const ask = (path: string, agent: Agent): Promise<number> =>
    new Promise((resolve, reject) => {
      const asked = getSecurely(`${instance.url}${path}`, { agent, rejectUnauthorized: false }, (message) => {
        readAll(message).then(() => resolve(message.statusCode!), reject);
      });
      asked.on('error', reject);
    });
  const seen = new Set<string>();
  let isOver = false;
  let requests = 0;
  const load = async (keepAlive: boolean): Promise<void> => {
    const agent = new Agent({ keepAlive, maxSockets: 2, maxCachedSessions: 0 });
    while (!isOver) {
      assert.equal(await ask('/v2/_catalog', agent), 200);
      requests += 1;
    }
    agent.destroy();
  };
  const limiter = Promise.all([load(true), load(false), load(false)]);
  // a lane that fails ends the test all the same
  limiter.catch(() => {});
  try {
    for (let n = 0; n < 5; n += 1) {
      const pair = createSelfSigned(['127.0.0.1', 'localhost'], 30);
      const put = requestSecurely(`${instance.url}/api/v1/network/certificate`, {
        method: 'PUT',
        rejectUnauthorized: false,
        headers: { 'content-type': 'application/json' },
      });
      const answer = answerOf(put);
      put.end(JSON.stringify({ certificate: pair.cert, key: pair.key }));
      const message = await answer;
      const text = (await readAll(message)).toString();
      assert.equal(message.statusCode, 200, text);
      const fingerprint = await readFingerprint();
      seen.add(fingerprint);
      assert.equal(
        fingerprint,
        JSON.parse(text).certificate.fingerprintSha256.toUpperCase(),
        'new connections get it',
      );
      await pause(150);
    }
  } finally {
    isOver = true;
  }
  await limiter;
  assert.ok(seen.size === 5, `${seen.size} certificates were seen`);
  t.diagnostic(`${requests} requests over ${seen.size} certificates, failed: none`);
  assert.equal(await instance.stop(), 0);
});

test('SIGTERM ends an instance whose proxy answers by drops, right after the log says so', async (t) => {
  await using world = await openRehearsal();
  const sockets = new Set<Socket>();
  const proxy = createServer((socket) => {
    sockets.add(socket.on('error', () => {}).resume());
    socket.write('HTTP/1.1 200 OK\r\nx-a: ');
    const timer = setInterval(() => socket.write('b'), 100);
    socket.once('close', () => {
      clearInterval(timer);
      sockets.delete(socket);
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  const instance = await world.start('zone', {
    mode: 'mirror',
    auth: { disabled: true },
    retriever: { source: 'oci://registry.test/team/zone:1' },
    network: { proxy: { url: `http://127.0.0.1:${(proxy.address() as { port: number }).port}` } },
    shutdown: { gracePeriod: '200ms' },
  });
  const exited = new Promise<number>((resolve) => instance.process.on('close', () => resolve(Date.now())));
  assert.equal((await instance.api('POST', '/sync', {})).status, 201);
  await eventually('a connection to the proxy', () => sockets.size > 0);
  instance.process.kill('SIGTERM');
  await eventually('the last record', () => /"msg":"stopped"/.test(instance.log()));
  const saidSo = Date.now();
  assert.ok((await exited) - saidSo < 2000);
  assert.equal(instance.process.exitCode, 0);
});

test('SIGTERM while only a task runs: readiness says so until the task has ended or the grace has', async () => {
  await using world = await openRehearsal();
  const double = await world.double();
  const wanted = buildImage('wanted');
  const source = await demand(world, toOrigin(double), { app: { wanted } });
  const instance = await world.start('zone', {
    mode: 'mirror',
    auth: { disabled: true },
    retriever: { source },
    registries: await world.registries([double.host]),
    trust: world.trust,
    shutdown: { gracePeriod: '3s' },
  });
  const exited = new Promise<number | null>((resolve) => instance.process.on('close', resolve));
  const { promise: held, resolve } = Promise.withResolvers<void>();
  const release = double.intercept(({ method, path }) => {
    if (method !== 'GET' || !/shop\/.*\/blobs\//.test(path)) return false;
    resolve();
    return true;
  });
  await instance.api('POST', '/sync', {});
  await held;
  const start = performance.now();
  instance.process.kill('SIGTERM');
  await eventually('readiness to turn', async () => (await fetch(`${instance.url}/readyz`)).status === 503);
  let asked = 0;
  let last = start;
  for (;;) {
    const status = await fetch(`${instance.url}/readyz`, { headers: { connection: 'close' } }).then(
      (response) => response.status,
      () => undefined,
    );
    if (status === undefined) break;
    assert.equal(status, 503);
    asked += 1;
    last = performance.now();
    await pause(50);
  }
  assert.ok(asked > 1 && last - start > 1000, `${asked} answers in ${last - start} ms`);
  assert.equal(await exited, 0);
  release();
});

test('SIGTERM while a registry asks to come back later: no wait holds the instance, neither of a task nor of a request', async () => {
  await using world = await openRehearsal();
  const double = await world.double();
  const wanted = buildImage('wanted');
  const source = await demand(world, toOrigin(double), { app: { wanted } });
  for (const ask of ['task', 'request'] as const) {
    const instance = await world.start(`zone-${ask}`, {
      mode: 'mirror',
      auth: { disabled: true },
      retriever: { source },
      registries: await world.registries([double.host]),
      trust: world.trust,
      shutdown: { gracePeriod: '60s' },
      sync: { retries: 10 },
    });
    const exited = new Promise<number | null>((resolve) => instance.process.on('close', resolve));
    const release = double.intercept((_request, response, raw) => {
      raw.resume();
      response.writeHead(429, { 'retry-after': '9' }).end();
      return true;
    });
    const asked = instance.api('POST', ask === 'task' ? '/sync' : '/plan', {}).catch(() => undefined);
    if (ask === 'task') await asked;
    await eventually('a wait', () => instance.log().includes('a request to a registry failed; retrying'));
    const start = performance.now();
    instance.process.kill('SIGTERM');
    assert.equal(await exited, 0);
    assert.ok(performance.now() - start < 6000, `${ask}: ${performance.now() - start} ms`);
    release();
    await asked;
  }
});
