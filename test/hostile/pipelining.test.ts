import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { listen } from '../../server/listen.ts';
import { maxRequestsAhead } from '../../server/pipeline.ts';
import { createSelfSigned } from '../../src/certificate/self-signed.ts';
import { toBlob } from '../kit/content/oci-content.ts';
import { createRawPeer } from '../kit/hostile/raw-peer.ts';
import { startInstance } from '../kit/instance/instance.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { askLiveMemory, toProbedEnvironment } from '../kit/result/live-memory.ts';

const address = { host: '127.0.0.1', port: 0 };
const get = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`;
const post = (path: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

const echo = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
  const { length } = await buffer(req);
  res.end(`<${req.url} ${length}>`);
};

for (const tls of [undefined, createSelfSigned(['127.0.0.1'], 1)]) {
  const open = (port: number): Socket =>
    tls === undefined
      ? connect(port, '127.0.0.1')
      : connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
  const over = tls === undefined ? 'TCP' : 'TLS';

  test(`pipelined requests are answered one at a time and in their order over ${over}`, async () => {
    let underWay = 0;
    let most = 0;
    const listener = await listen({
      address,
      tls,
      handler: (req, res) => {
        underWay += 1;
        most = Math.max(most, underWay);
        res.once('close', () => {
          underWay -= 1;
        });
        echo(req, res).catch(() => res.destroy());
      },
    });
    const socket = open(listener.port).setEncoding('latin1');
    try {
      let text = '';
      socket.on('data', (part: string) => {
        text += part;
      });
      const expected = ['</large 400000>', '</chunked 3>'];
      socket.write(post('/large', '\r\n\r\n'.repeat(100_000)));
      socket.write(
        'POST /chunked HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
      );
      for (let n = 0; n < 14; n += 1) {
        const body = n % 3 === 2 ? 'a\r\n\r\nGET / HTTP/1.1\r\n\r\n'.slice(0, n) : '';
        socket.write(n % 3 === 2 ? post(`/${n}`, body) : get(`/${n}`));
        expected.push(`</${n} ${body.length}>`);
      }
      socket.write('GET /last HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
      expected.push('</last 0>');
      await once(socket, 'close');
      assert.deepEqual(text.match(/<[^>]*>/g), expected);
      assert.equal(most, 1);
    } finally {
      socket.destroy();
      await listener.close();
    }
  });

  test(`a connection that sends more than 16 requests ahead is closed over ${over}`, async () => {
    let asked = 0;
    const listener = await listen({
      address,
      tls,
      handler: () => {
        asked += 1;
      },
    });
    const socket = open(listener.port).on('error', () => {});
    try {
      socket.write(get('/').repeat(2000));
      await once(socket, 'close');
      assert.equal(asked, 1);
    } finally {
      socket.destroy();
      await listener.close();
    }
  });

  test(`requests that wait are dropped with their connection over ${over}`, async () => {
    let asked = 0;
    const first = Promise.withResolvers<ServerResponse>();
    const listener = await listen({
      address,
      tls,
      handler: (_req, res) => {
        asked += 1;
        first.resolve(res);
      },
    });
    const socket = open(listener.port);
    try {
      socket.write(get('/').repeat(10));
      const answer = await first.promise;
      const gone = new Promise((resolve) => answer.once('close', resolve));
      socket.destroy();
      await gone;
      assert.equal(asked, 1);
    } finally {
      socket.destroy();
      await listener.close();
    }
  });
}

for (const tls of [undefined, createSelfSigned(['127.0.0.1'], 1)])
  test(`a client that sends thousands of requests ahead has few of them made, over ${tls ? 'TLS' : 'TCP'}`, async (t) => {
    let made = 0;
    const count = (): void => {
      made += 1;
    };
    subscribe('http.server.request.start', count);
    t.after(() => unsubscribe('http.server.request.start', count));
    const listener = await listen({ address, tls, handler: () => {} });
    const socket = tls
      ? connectTls({ port: listener.port, host: '127.0.0.1', rejectUnauthorized: false })
      : connect(listener.port, '127.0.0.1');
    t.after(() => listener.close());
    const closed = new Promise((resolve) => socket.on('close', resolve));
    // reset, while requests are still on their way
    socket.on('error', () => {});
    socket.write(get('/').repeat(4000));
    await closed;
    assert.ok(made > maxRequestsAhead && made < maxRequestsAhead + 4, `${made} requests`);
  });

test('clients that pipeline requests and read no answer hold the memory of one answer each', async (t) => {
  await using folder = await openTempFolder();
  const file = join(folder.path, 'memory');
  await using instance = await startInstance({ folder: folder.path, env: toProbedEnvironment(file) });
  const { authorization, url } = instance;
  const blob = toBlob(Buffer.alloc(32 * 2 ** 20, 7));
  const pushed = await fetch(`${url}/v2/a/b/blobs/uploads/?digest=${blob.digest}`, {
    method: 'POST',
    headers: { authorization },
    body: new Uint8Array(blob.bytes),
  });
  assert.equal(pushed.status, 201);
  const before = await askLiveMemory(instance.process.pid!, file);
  const head = `host: x\r\nauthorization: ${authorization}\r\n\r\n`;
  const peer = createRawPeer(url);
  const sockets: Socket[] = [];
  const count = 50;
  for (let n = 0; n < count; n += 1) sockets.push(await peer.open());
  for (const socket of sockets) {
    socket.pause();
    socket.write(`GET /v2/a/b/blobs/${blob.digest} HTTP/1.1\r\n${head}`.repeat(17));
  }
  for (let n = 0; n < 20; n += 1) assert.equal((await fetch(`${url}/healthz`)).status, 200);
  const perConnection = ((await askLiveMemory(instance.process.pid!, file)) - before) / count;
  t.diagnostic(`${(perConnection / 2 ** 20).toFixed(2)} MiB for each connection`);
  // two buffers of 1 MiB send an answer
  assert.ok(perConnection < 3 * 2 ** 20, `${perConnection} bytes`);
  for (const socket of sockets) socket.destroy();
  assert.equal(await instance.stop(), 0);
});
