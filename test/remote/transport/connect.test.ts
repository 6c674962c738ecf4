import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { silentReport } from '../../../src/base/report.ts';
import type { Transport, TransportOptions } from '../../../src/remote/model.ts';
import { createTransport } from '../../../src/remote/transport/transport.ts';
import { isSvcError } from '../../../src/text/error.ts';

interface Peer {
  readonly port: number;
  /** Connections in the order they came. */
  next(): Promise<Socket>;
}

async function listen(t: TestContext, serve: (socket: Socket) => void = () => {}): Promise<Peer> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {}).resume();
    serve(socket);
    server.emit('peer');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  let taken = 0;
  return {
    port: (server.address() as { port: number }).port,
    async next() {
      while (sockets.length <= taken) await once(server, 'peer');
      taken += 1;
      return sockets[taken - 1]!;
    },
  };
}

/** Waits for the end of a socket, also of one that is reset while the test writes to it. */
async function untilClosed(socket: Socket): Promise<void> {
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
}

function drip(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 20);
  socket.once('close', () => clearInterval(timer));
}

function make(t: TestContext, options: Partial<TransportOptions>): Transport {
  const transport = createTransport({ report: silentReport, ...options });
  t.after(() => transport[Symbol.asyncDispose]());
  return transport;
}

const target = new URL('https://registry.test/v2/');
const get = (transport: Transport, signal?: AbortSignal) =>
  transport.request({ method: 'GET', url: target, signal });

test('a proxy that answers a tunnel by drops is given up, though it never falls silent', {
  timeout: 10_000,
}, async (t) => {
  const peer = await listen(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nx-a: ');
    drip(socket, 'b');
  });
  const proxy = { url: `http://127.0.0.1:${peer.port}` };
  const asked = get(make(t, { proxy, stallTimeout: 300 }));
  await assert.rejects(asked, (error) => {
    assert.ok(isSvcError(error, 'SVC-NET-001'), String(error));
    assert.match(String(error.params.detail), /ETIMEDOUT/);
    return true;
  });
  const socket = await peer.next();
  await untilClosed(socket);
});

test('TCP, tunnel and TLS share one time', async (t) => {
  const peer = await listen(t, (socket) => {
    setTimeout(() => socket.write('HTTP/1.1 200 OK\r\n\r\n'), 700);
  });
  const proxy = { url: `http://127.0.0.1:${peer.port}` };
  const started = performance.now();
  await assert.rejects(get(make(t, { proxy, stallTimeout: 1000 })), (error) =>
    isSvcError(error, 'SVC-REG-002'),
  );
  const took = performance.now() - started;
  assert.ok(took > 950 && took < 1600, `${took} ms`);
});

test('informational answers do not put off the time for an answer', async (t) => {
  const peer = await listen(t, (socket) => {
    socket.once('data', () => {
      let sent = 0;
      const timer = setInterval(() => {
        sent += 1;
        if (sent < 16) socket.write('HTTP/1.1 103 Early Hints\r\n\r\n');
      }, 200);
      socket.once('close', () => clearInterval(timer));
    });
  });
  const host = `127.0.0.1:${peer.port}`;
  const transport = make(t, { insecure: [host], stallTimeout: 400 });
  const started = performance.now();
  await assert.rejects(transport.request({ method: 'GET', url: new URL(`http://${host}/`) }), (error) =>
    isSvcError(error, 'SVC-REG-002'),
  );
  assert.ok(performance.now() - started < 1500);
});

for (const [stage, options] of [
  ['a tunnel', (port: number) => ({ proxy: { url: `http://127.0.0.1:${port}` } })],
  ['TLS with a proxy', (port: number) => ({ proxy: { url: `https://127.0.0.1:${port}` } })],
] as const) {
  test(`an abort closes a connection that waits for ${stage}`, async (t) => {
    const peer = await listen(t);
    const transport = make(t, options(peer.port));
    const aborting = new AbortController();
    const reason = new Error('enough');
    const asked = get(transport, aborting.signal);
    const socket = await peer.next();
    aborting.abort(reason);
    await assert.rejects(asked, (error) => error === reason);
    await untilClosed(socket);
  });

  test(`disposing closes a connection that waits for ${stage}`, async (t) => {
    const peer = await listen(t);
    const transport = make(t, options(peer.port));
    const asked = get(transport);
    asked.catch(() => {});
    const socket = await peer.next();
    await transport[Symbol.asyncDispose]();
    await assert.rejects(asked);
    await untilClosed(socket);
  });
}

test('an abort does not wait for a name to be resolved', async (t) => {
  const transport = make(t, { resolve: () => new Promise(() => {}) });
  const aborting = new AbortController();
  const reason = new Error('enough');
  const asked = get(transport, aborting.signal);
  aborting.abort(reason);
  await assert.rejects(asked, (error) => error === reason);
});

const program = `
const { createTransport } = await import(process.argv[1]);
const report = { log() {}, audit() {}, meter: { add() {}, set() {} }, child: () => report };
const transport = createTransport({ report, proxy: { url: process.argv[2] } });
const ending = new AbortController();
transport.request({ method: 'GET', url: new URL('https://registry.test/'), signal: ending.signal }).catch(() => {});
process.stdin.once('data', async () => {
  process.stdin.destroy();
  ending.abort();
  await transport[Symbol.asyncDispose]();
  console.log('stopped');
});
`;

test('a name server that never answers ends a request after the time of silence, and when the transport is disposed', async (t) => {
  const resolve = () => new Promise<never>(() => {});
  const request = { method: 'GET', url: new URL('https://silent.example/') } as const;
  const short = make(t, { resolve, stallTimeout: 100 });
  await assert.rejects(short.request(request), (error) => {
    assert.ok(isSvcError(error, 'SVC-REG-002'), String(error));
    assert.equal(error.params.host, 'silent.example');
    return true;
  });
  const disposed = make(t, { resolve });
  const waiting = assert.rejects(disposed.request(request), (error) => isSvcError(error, 'SVC-REG-002'));
  await disposed[Symbol.asyncDispose]();
  await waiting;
});

test('a process ends when its transport is disposed while a proxy trickles', {
  timeout: 20_000,
}, async (t) => {
  const peer = await listen(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nx-a: ');
    drip(socket, 'b');
  });
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      program,
      join(import.meta.dirname, '../../../src/remote/transport/transport.ts'),
      `http://127.0.0.1:${peer.port}`,
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  t.after(() => child.kill('SIGKILL'));
  await peer.next();
  child.stdin.write('stop\n');
  await once(child.stdout, 'data');
  const [code] = (await once(child, 'exit', { signal: AbortSignal.timeout(5000) })) as [number];
  assert.equal(code, 0);
});
