import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { type Listener, listen } from '../../server/listen.ts';
import { planDescriptors } from '../../server/shares/plan-descriptors.ts';
import { resources } from '../../src/base/shares/resources.ts';
import { toBlob } from '../kit/content/oci-content.ts';
import { eventually } from '../kit/instance/eventually.ts';
import { startInstance } from '../kit/instance/instance.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { needs } from '../kit/program/peers.ts';

const openFiles = 192;

test('idle connections without a credential leave the descriptors that a pull needs', async (t) => {
  if (!needs(t, 'prlimit')) return;
  await using folder = await openTempFolder();
  await using instance = await startInstance({ folder: folder.path, openFiles });
  const blob = toBlob(Buffer.alloc(100_000, 7));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => agent.destroy());
  const ask = async (method: string, path: string, body?: Buffer) => {
    const { authorization } = instance;
    const asked = request(`${instance.url}${path}`, { method, agent, headers: { authorization } }).end(body);
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    return { status: response.statusCode, bytes: await buffer(response) };
  };
  const pushed = await ask('POST', `/v2/a/b/blobs/uploads/?digest=${blob.digest}`, blob.bytes);
  assert.equal(pushed.status, 201, pushed.bytes.toString());

  const { hostname, port } = new URL(instance.url);
  const idle: Socket[] = [];
  t.after(() => {
    for (const socket of idle) socket.destroy();
  });
  let closed = 0;
  for (let n = 0; n < 2 * openFiles; n += 1) {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.on('close', () => {
      closed += 1;
    });
    await once(socket, 'connect');
    idle.push(socket);
  }
  const { connections } = planDescriptors(openFiles);
  await eventually('what is over the limit is closed', () => closed > 2 * openFiles - connections.total);
  const pulled = await ask('GET', `/v2/a/b/blobs/${blob.digest}`);
  assert.equal(pulled.status, 200, pulled.bytes.toString());
  assert.deepEqual(pulled.bytes, blob.bytes);
  assert.equal((instance.log().match(/closing connections/g) ?? []).length, 1);

  for (const socket of idle) socket.destroy();
  await eventually('a new client is served again', async () => {
    const probe = await fetch(`${instance.url}/readyz`).catch(() => undefined);
    return probe?.status === 200;
  });
});

test('connections and uploads together leave descriptors for everything else', () => {
  for (const limit of [256, 512, 1024, 4096, 65_536, 1_048_576]) {
    const { connections, uploads } = planDescriptors(limit);
    assert.ok(2 * (connections.total + uploads.total) <= limit - 64, String(limit));
  }
  assert.deepEqual(planDescriptors(undefined), {
    connections: resources.connections,
    uploads: resources.uploads,
  });
});

/** Sends a request from an address of loopback. */
async function send({ port }: Listener, localAddress: string, path: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
  return socket;
}

/** A listener with eight places, four for an origin, that answers `/` only. */
async function openSmall(t: TestContext, proxy?: string) {
  const asked: Socket[] = [];
  const limits = { reached: 0 };
  const listener = await listen({
    address: { host: '127.0.0.1', port: 0 },
    handler: ({ url, socket }, res) => (url === '/' ? res.end('here') : asked.push(socket)),
    places: {
      bounds: { total: 8, reserve: 0, share: { origin: 4, account: 0, admin: 8 } },
      isProxy: (address) => address === proxy,
      onFull: () => {
        limits.reached += 1;
      },
    },
  });
  t.after(() => listener.close());
  const isAnswered = async (address: string): Promise<boolean> => {
    const socket = await send(listener, address, '/');
    const isOpen = await new Promise((resolve) =>
      socket.once('data', () => resolve(true)).once('close', () => resolve(false)),
    );
    socket.destroy();
    return isOpen as boolean;
  };
  return { listener, asked, limits, isAnswered };
}

test('connections of one address that all wait for answers leave half of the places to the others', async (t) => {
  const { listener, asked, limits, isAnswered } = await openSmall(t);
  for (let n = 0; n < 12; n += 1) await send(listener, '127.0.0.2', '/waits');
  await eventually('the address has its share', () => asked.length === 4 && limits.reached === 8);
  assert.equal(await isAnswered('127.0.0.2'), false);
  assert.equal(await isAnswered('127.0.0.3'), true);
});

test('when all places are taken, the address with the most connections loses one', async (t) => {
  const { listener, asked, isAnswered } = await openSmall(t);
  const single = await send(listener, '127.0.0.4', '/waits');
  await eventually('the request is there', () => asked.length === 1);
  const { port } = listener;
  const idle = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.5' });
  await once(idle, 'connect');
  const silent: Socket[] = [];
  for (const localAddress of ['127.0.0.2', '127.0.0.3'])
    for (let n = 0; n < 3; n += 1) {
      const socket = connect({ port, host: '127.0.0.1', localAddress });
      socket.on('error', () => {});
      await once(socket, 'connect');
      silent.push(socket);
    }
  await eventually('one of them is closed', () => silent.some(({ closed }) => closed));
  assert.equal(await isAnswered('127.0.0.6'), true);
  assert.deepEqual([single.closed, idle.closed], [false, false]);
});

test('a trusted proxy has no share: it connects for many clients', async (t) => {
  const { listener, asked } = await openSmall(t, '127.0.0.2');
  for (let n = 0; n < 7; n += 1) await send(listener, '127.0.0.2', '/waits');
  await eventually('all of them are served', () => asked.length === 7);
});
