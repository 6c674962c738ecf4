import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { listen } from '../../server/listen.ts';
import { createSelfSigned } from '../../src/certificate/self-signed.ts';
import { createRawPeer } from '../kit/hostile/raw-peer.ts';
import { startInstance } from '../kit/instance/instance.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

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
      const expected: string[] = [];
      for (let n = 0; n < 1000; n += 1) {
        const body = n % 3 === 2 ? 'a\r\n\r\nGET / HTTP/1.1\r\n\r\n'.slice(0, n % 20) : '';
        socket.write(n % 3 === 2 ? post(`/${n}`, body) : get(`/${n}`));
        expected.push(`</${n} ${body.length}>`);
      }
      socket.write(post('/large', '\r\n\r\n'.repeat(100_000)));
      socket.write(
        'POST /chunked HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
      );
      socket.write('GET /last HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
      await once(socket, 'close');
      expected.push('</large 400000>', '</chunked 3>', '</last 0>');
      assert.deepEqual(text.match(/<[^>]*>/g), expected);
      assert.equal(most, 1);
    } finally {
      socket.destroy();
      await listener.close();
    }
  });

  test(`pipelined requests are dropped with their connection over ${over}`, async () => {
    let asked = 0;
    const first = Promise.withResolvers<ServerResponse>();
    const listener = await listen({
      address,
      tls,
      handler: (_req, res) => {
        asked += 1;
        if (asked === 1) first.resolve(res);
        else res.end('here');
      },
    });
    const socket = open(listener.port);
    try {
      socket.write(get('/').repeat(2000));
      const answer = await first.promise;
      const { socket: connection } = answer.req;
      const gone = new Promise((resolve) => connection.once('close', resolve));
      socket.destroy();
      await once(socket, 'close');
      answer.end('here');
      await gone;
      assert.ok(asked < 100, `${asked} requests`);
    } finally {
      socket.destroy();
      await listener.close();
    }
  });
}

test('a client that pipelines requests and reads no answer does not block other clients', async () => {
  await using folder = await openTempFolder();
  await using instance = await startInstance({ folder: folder.path });
  const peer = createRawPeer(instance.url);
  const sockets: Socket[] = [];
  for (let n = 0; n < 100; n += 1) sockets.push(await peer.open());
  for (const socket of sockets) {
    socket.pause();
    socket.write(get('/metrics').repeat(2000));
  }
  let slowest = 0;
  const probe = async (): Promise<void> => {
    const asked = performance.now();
    assert.equal((await fetch(`${instance.url}/healthz`)).status, 200);
    slowest = Math.max(slowest, performance.now() - asked);
  };
  for (let n = 0; n < 20; n += 1) await probe();
  for (const socket of sockets) socket.destroy();
  for (let n = 0; n < 20; n += 1) await probe();
  assert.ok(slowest < 5000, `${slowest} ms`);
  assert.equal(await instance.stop(), 0);
});
