import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { RateLimiter } from '../../../src/base/link/rate-limiter.ts';
import { silentReport } from '../../../src/base/report.ts';
import { promptTransport } from '../../../src/remote/transport/prompt-transport.ts';
import { readBody } from '../../../src/remote/transport/read-body.ts';
import { createTransport } from '../../../src/remote/transport/transport.ts';

const limits = { answer: 800, whole: 800 };

async function openServer(
  t: TestContext,
  answer: (path: string, response: ServerResponse) => unknown,
  limiter?: RateLimiter,
) {
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    if (url === '/warm') return void response.end();
    asked.push(url);
    void answer(url, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const transport = createTransport({ report: silentReport, insecure: [host], limiter });
  t.after(() => transport[Symbol.asyncDispose]());
  // the cost of the first request is no time of the host
  await readBody(await transport.request({ method: 'GET', url: new URL(`http://${host}/warm`) }), 1, 'warm');
  const prompt = promptTransport(transport, limits);
  const get = (path: string, signal?: AbortSignal) =>
    prompt.request({ method: 'GET', url: new URL(`http://${host}${path}`), ...(signal ? { signal } : {}) });
  return { host, asked, get };
}

const isLate = (host: string) => ({
  code: 'SVC-REG-002',
  params: { host, detail: 'its answer took longer than 800ms', problem: 'slow' },
});

test('a host that keeps silent is named once, and not asked again in the same work', async (t) => {
  const { host, asked, get } = await openServer(t, () => {});
  const rejects = (path: string) => assert.rejects(get(path), isLate(host));
  await Promise.all([rejects('/a'), rejects('/b')]);
  await rejects('/c');
  assert.deepEqual(asked.sort(), ['/a', '/b']);
});

test('a host that answers meanwhile is asked on, whatever one of its answers does', async (t) => {
  const { host, get } = await openServer(t, (path, response) => {
    if (path !== '/silent') response.end('here');
  });
  const silent = assert.rejects(get('/silent'), isLate(host));
  const other = await get('/other');
  assert.equal((await readBody(other, 10, 'other')).toString(), 'here');
  await silent;
  assert.equal((await get('/later')).status, 200);
});

test('a body that stops is given up by the same name', async (t) => {
  const { host, get } = await openServer(t, (_, response) => {
    response.writeHead(200, { 'content-length': 100 });
    response.write('begun');
  });
  const answer = await get('/stops');
  await assert.rejects(readBody(answer, 1000, 'it'), {
    code: 'SVC-REG-002',
    params: { host, detail: 'its answer took longer than 1s800ms', problem: 'slow' },
  });
});

test('a host whose body trickles is given up once, also where its length is not announced', async (t) => {
  const { host, asked, get } = await openServer(t, (_, response) => {
    response.writeHead(200);
    const drip = setInterval(() => response.write('x'), 50);
    response.on('close', () => clearInterval(drip));
  });
  const began = performance.now();
  await assert.rejects(readBody(await get('/a'), 1000, 'it'), (error: { code?: string }) =>
    ['SVC-REG-002', 'SVC-REG-007'].includes(error.code ?? ''),
  );
  await assert.rejects(get('/b'), isLate(host));
  assert.deepEqual(asked, ['/a']);
  assert.ok(performance.now() - began < 10_000);
});

test('who leaves is not told of a silent host', async (t) => {
  const { get } = await openServer(t, () => {});
  const leave = new AbortController();
  const waiting = get('/x', leave.signal);
  leave.abort(new Error('left'));
  await assert.rejects(waiting, /left/);
});

test('a body is not given up while the cap holds bodies back', async (t) => {
  const limiter = new RateLimiter(1024);
  const send = async (_: string, response: ServerResponse): Promise<void> => {
    response.writeHead(200, { 'content-length': 10 });
    response.write('begun');
    await sleep(2000);
    response.end('ended');
  };
  const { get } = await openServer(t, send, limiter);
  const ending = new AbortController();
  const other = limiter.take(1 << 20, 'received', { signal: ending.signal });
  t.after(() => ending.abort(new Error('over')));
  other!.catch(() => {});
  const { body } = await get('/held');
  assert.equal((await buffer(body)).toString(), 'begunended');
});
