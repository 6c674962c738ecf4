import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { planDescriptors } from '../../server/shares/plan-descriptors.ts';
import { toBlob } from '../kit/content/oci-content.ts';
import { createRawPeer } from '../kit/hostile/raw-peer.ts';
import { eventually } from '../kit/instance/eventually.ts';
import { type Instance, startInstance } from '../kit/instance/instance.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { needs } from '../kit/program/peers.ts';

const openFiles = 200;
const { connections } = planDescriptors(openFiles);
const { digest } = toBlob(Buffer.from('never sent'));

interface Occupation extends Disposable {
  readonly sockets: readonly Socket[];
}

/** Opens twice as many connections as there are places, one after the other, each when the one before was answered or closed. */
async function occupy(instance: Instance, begin: (n: number) => string): Promise<Occupation> {
  const peer = createRawPeer(instance.url);
  const sockets: Socket[] = [];
  for (let n = 0; n < 2 * connections.total; n += 1) {
    const socket = await peer.open();
    sockets.push(socket);
    socket.write(begin(n));
    // not read: the answers stay in the buffers of both sides
    await new Promise<unknown>((resolve) => socket.once('readable', resolve).once('close', resolve));
  }
  return {
    sockets,
    [Symbol.dispose]: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** A new connection for each request; one that a busy machine is slow to read may be closed, and is opened again. */
async function isServed(instance: Instance): Promise<void> {
  const ask = async (): Promise<number> => {
    const { authorization } = instance;
    const asked = request(`${instance.url}/v2/`, { agent: false, headers: { authorization } }).end();
    asked.on('error', () => {});
    const [response] = await once(asked, 'response', { signal: AbortSignal.timeout(2000) });
    await buffer(response);
    return response.statusCode;
  };
  for (let n = 0; n < 11; n += 1)
    await eventually(
      'a new client is answered',
      () =>
        ask().then(
          (status) => status === 200,
          () => false,
        ),
      12,
    );
}

test('bodies that come by drops with a valid credential yield their places, and an upload at full pace keeps its own', async (t) => {
  if (!needs(t, 'prlimit')) return;
  await using folder = await openTempFolder();
  await using instance = await startInstance({ folder: folder.path, openFiles });
  const head = (line: string, type: string): string =>
    `POST ${line} HTTP/1.1\r\nhost: x\r\nauthorization: ${instance.authorization}\r\ncontent-type: ${type}\r\ncontent-length: 50000\r\nexpect: 100-continue\r\n\r\n`;

  // an upload that goes on all the time, at many thousand times the pace of the others, also where timers are late
  const { authorization } = instance;
  const opened = await fetch(`${instance.url}/v2/good/image/blobs/uploads/`, {
    method: 'POST',
    headers: { authorization },
  });
  const location = opened.headers.get('location')!;
  await opened.arrayBuffer();
  const push = request(`${instance.url}${location}`, {
    method: 'PATCH',
    agent: false,
    headers: { authorization, 'transfer-encoding': 'chunked' },
  });
  const pushed = new Promise<number | undefined>((resolve, reject) => {
    push.on('response', (response) => resolve(response.statusCode)).on('error', reject);
  });
  pushed.catch(() => {});
  const chunk = Buffer.alloc(262_144, 7);
  // its bytes arrive before the places run out: a client that has sent nothing yet is as slow as the others
  await new Promise<void>((resolve) => push.write(chunk, () => resolve()));
  const writing = setInterval(() => push.writableNeedDrain || push.write(chunk), 50);

  using slow = await occupy(instance, (n) =>
    n % 8 === 0
      ? head(`/v2/slow/blobs/uploads/?digest=${digest}`, 'application/octet-stream')
      : head('/api/v1/import', 'application/json'),
  );
  const drops = setInterval(() => {
    for (const socket of slow.sockets) if (socket.writable) socket.write(' ');
  }, 100);

  try {
    await isServed(instance);
    clearInterval(writing);
    push.end(chunk);
    assert.equal(await pushed, 202);
  } finally {
    clearInterval(writing);
    clearInterval(drops);
    push.destroy();
  }
});

test('clients that do not read their answers, and those that start a second request and stop, yield their places', async (t) => {
  if (!needs(t, 'prlimit')) return;
  await using folder = await openTempFolder();
  await using instance = await startInstance({ folder: folder.path, openFiles });
  const blob = toBlob(Buffer.alloc(24 << 20, 7));
  const answer = await fetch(`${instance.url}/v2/large/blobs/uploads/?digest=${blob.digest}`, {
    method: 'POST',
    headers: { authorization: instance.authorization },
    body: blob.bytes as never,
  });
  assert.equal(answer.status, 201);
  await answer.arrayBuffer();
  const get = (path: string): string =>
    `GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: ${instance.authorization}\r\n\r\n`;

  const unread = await occupy(instance, () => get(`/v2/large/blobs/${blob.digest}`));
  await isServed(instance);
  unread[Symbol.dispose]();

  using _halves = await occupy(instance, () => `${get('/healthz')}GET /v2/ HTTP/1.1\r\nx-slow: `);
  await isServed(instance);
});
