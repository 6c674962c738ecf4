import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { planDescriptors } from '../../server/plan-descriptors.ts';
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
  await eventually('what is over the limit is closed', () => closed > 2 * openFiles - connections!);
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
    assert.ok(2 * (connections! + uploads) <= limit - 64, String(limit));
  }
  assert.equal(planDescriptors(undefined).connections, undefined);
});
