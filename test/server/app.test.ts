import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { fingerprintPrune } from '../../src/engine/sync/prune.ts';
import { eventually } from '../kit/instance/eventually.ts';
import { startTestServer, type TestServer } from '../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../kit/instance/temp-folder.ts';

let folder: TempFolder;
let server: TestServer;

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({ folder: folder.path });
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

test('probes and metrics need no credential', async () => {
  const health = await fetch(`${server.url}/healthz`);
  assert.deepEqual(await health.json(), { status: 'ok' });
  const ready = await fetch(`${server.url}/readyz`);
  assert.deepEqual(await ready.json(), { status: 'ready' });
  const metrics = await fetch(`${server.url}/metrics`);
  assert.match(metrics.headers.get('content-type') ?? '', /openmetrics-text/);
  assert.match(await metrics.text(), /svc_build_info/);
  const asText = { headers: { accept: 'text/plain;version=0.0.4' } };
  const text = await fetch(`${server.url}/metrics`, asText);
  assert.equal(text.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
  assert.equal(text.headers.get('vary'), 'accept');
  assert.match(await text.text(), /^svc_ready 1$/m);
  const headers = await fetch(`${server.url}/metrics`, { ...asText, method: 'HEAD' });
  assert.deepEqual(
    [headers.status, headers.headers.get('content-type'), await headers.text()],
    [200, text.headers.get('content-type'), ''],
  );
  assert.ok(Number(headers.headers.get('content-length')) > 1000);
  const head = await fetch(`${server.url}/healthz`, { method: 'HEAD' });
  assert.equal(head.status, 200);
  const wrong = await fetch(`${server.url}/healthz`, { method: 'POST' });
  assert.equal(wrong.status, 405);
  assert.equal(wrong.headers.get('allow'), 'GET, HEAD');
});

test('an unknown path is a problem document, never HTML, with or without credentials and in the language of the client', async () => {
  for (const path of ['/api/v1/nothing', '/api/v2/content', '/api', '/nothing', '/api/v1/content/%zz']) {
    const response = await fetch(`${server.url}${path}`, {
      headers: { 'accept-language': 'fr-CA, en;q=0.5' },
    });
    assert.equal(response.status, 404, path);
    assert.equal(response.headers.get('content-type'), 'application/problem+json');
    assert.equal(response.headers.get('content-language'), 'fr');
    const problem = (await response.json()) as any;
    assert.equal(problem.type, '/help#SVC-SRV-002');
    assert.equal(problem.code, 'SVC-SRV-002');
    for (const member of ['title', 'probable_cause', 'action', 'correlation_id'])
      assert.equal(typeof problem[member], 'string');
  }
});

test('the correlation id of a refusal is in its log record, also without credentials', async () => {
  const levelOf = async (response: Response): Promise<string | undefined> => {
    const { correlation_id: id } = (await response.json()) as any;
    return server.report.records.find(({ fields }) => fields.correlationId === id)?.level;
  };
  assert.equal(await levelOf(await server.fetch('/api/v1/tasks/tsk_000000000000')), 'info');
  assert.equal(await levelOf(await fetch(`${server.url}/api/v1/nothing`)), 'info');
  assert.equal(await levelOf(await fetch(`${server.url}/api/v1/tasks`)), 'info');
});

test('a request id is taken over only when it is harmless', async () => {
  const taken = await server.fetch('/api/v1/tasks', { headers: { 'x-request-id': 'my-id.1' } });
  assert.equal(taken.headers.get('x-request-id'), 'my-id.1');
  for (const hostile of ['a b', '<x>', 'a'.repeat(65), '"']) {
    const response = await server.fetch('/api/v1/tasks', { headers: { 'x-request-id': hostile } });
    assert.notEqual(response.headers.get('x-request-id'), hostile);
    await response.text();
  }
});

test('a method that a path does not have names those it has', async () => {
  const response = await server.fetch('/api/v1/retriever/interval', { method: 'PATCH' });
  assert.equal(response.status, 405);
  assert.equal(response.headers.get('allow'), 'PUT, DELETE');
  assert.equal(((await response.json()) as any).code, 'SVC-SRV-004');
});

test('a browser runs, loads and embeds nothing of an answer that is data, whatever its status', async () => {
  const asked: readonly (readonly [status: number, path: string, init?: RequestInit])[] = [
    [200, '/healthz'],
    [200, '/readyz'],
    [200, '/metrics'],
    [405, '/healthz', { method: 'POST' }],
    [200, '/api/v1/status'],
    [200, '/api/v1/openapi.yaml'],
    [404, '/api/v1/nowhere'],
    [404, '/auth/nowhere'],
    [405, '/api/v1/status', { method: 'DELETE' }],
    [401, '/api/v1/status', { headers: { authorization: 'Bearer wrong' } }],
    [404, '/nowhere', { headers: { accept: 'application/json' } }],
  ];
  for (const [status, path, init] of asked) {
    const answer = await server.fetch(path, init);
    const name = `${init?.method ?? 'GET'} ${path}`;
    assert.equal(answer.status, status, name);
    for (const [header, value] of Object.entries({
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    }))
      assert.equal(answer.headers.get(header), value, `${name}: ${header}`);
    await answer.text();
  }
});

test('no answer carries CORS headers', async () => {
  const response = await server.fetch('/api/v1/tasks', { headers: { origin: 'https://elsewhere.example' } });
  assert.equal(response.status, 200);
  for (const [name] of response.headers) assert.doesNotMatch(name, /^access-control/);
});

test('bodies are checked: form, members, size, type', async () => {
  const post = (body: string, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
    server.fetch('/api/v1/accounts', { method: 'POST', headers, body });
  const expectCode = async (response: Response, status: number, code: string, path?: string) => {
    const problem = (await response.json()) as any;
    assert.deepEqual([response.status, problem.code], [status, code]);
    if (path !== undefined) assert.equal(problem.params.path, path);
  };
  await expectCode(await post('{'), 422, 'SVC-VAL-001', '/');
  await expectCode(await post('[]'), 422, 'SVC-VAL-001', '/');
  await expectCode(await post('{"name":"x"}'), 422, 'SVC-VAL-001', '/password');
  await expectCode(await post('{"name":1,"password":"x"}'), 422, 'SVC-VAL-001', '/name');
  await expectCode(await post('{"name":"x","password":"y","extra":1}'), 422, 'SVC-VAL-001', '/extra');
  await expectCode(await post('{"name":"x","password":"y","__proto__":1}'), 422, 'SVC-VAL-001', '/__proto__');
  await expectCode(await post('{"name":"x","password":"y","role":"king"}'), 422, 'SVC-VAL-001', '/role');
  await expectCode(await post('name=x', { 'content-type': 'text/plain' }), 415, 'SVC-SRV-005');
  await expectCode(await post(`{"name":"${'x'.repeat(1_100_000)}"}`), 413, 'SVC-VAL-002');
  await expectCode(await post(Buffer.from([0x22, 0xff, 0x22]) as never), 422, 'SVC-VAL-001', '/');
});

test('an invalid page number is refused, a page past the end is empty', async () => {
  for (const query of ['page=0', 'page=x', 'pageSize=201', 'pageSize=-1', 'status=odd', 'type=odd']) {
    const response = await server.fetch(`/api/v1/tasks?${query}`);
    assert.equal(response.status, 422, query);
    await response.text();
  }
  const past = await server.fetch('/api/v1/tasks?page=1000&pageSize=1');
  assert.deepEqual(((await past.json()) as any).tasks, []);
});

test('while draining, probes answer 503, new requests are refused and open ones complete', async () => {
  await using own = await openTempFolder();
  let release = (): void => {};
  const entered = new Promise<void>((resolveEntered) => {
    release = resolveEntered;
  });
  let finish: (value: any) => void = () => {};
  const held = new Promise<any>((resolve) => {
    finish = resolve;
  });
  let activeDuringStatus: number | undefined;
  let opened: TestServer | undefined;
  await using draining = await startTestServer({
    folder: own.path,
    occupancyThreshold: () => {
      activeDuringStatus = opened?.instance.app.active;
      return undefined;
    },
    operations: {
      previewPrune: () => {
        release();
        return held;
      },
    },
  });
  opened = draining;
  const underWay = draining.fetch('/api/v1/sync/prune-preview');
  await entered;
  const stopped = draining.instance.stop(10_000);
  const ready = await fetch(`${draining.url}/readyz`);
  assert.equal(ready.status, 503);
  const { status, reasons } = (await ready.json()) as any;
  assert.equal(status, 'draining');
  assert.match(reasons[0], /^the instance is stopping/);
  assert.match(await (await fetch(`${draining.url}/metrics`)).text(), /^svc_ready 0$/m);
  assert.equal((await fetch(`${draining.url}/healthz`)).status, 200);
  const fresh = await draining.fetch('/api/v1/sync', { method: 'POST' });
  assert.equal(fresh.status, 503);
  assert.equal(((await fresh.json()) as any).code, 'SVC-SRV-006');
  const refused = draining.report.records.find(({ fields }) => fields.code === 'SVC-SRV-006');
  assert.equal(refused?.level, 'info', 'to refuse while it stops is no failure');
  const pull = await draining.fetch('/v2/');
  assert.equal(pull.status, 503);
  await pull.text();
  // a request that only looks is answered, and is not waited for
  await eventually('the refused requests to be over', () => draining.instance.app.active === 1);
  assert.equal((await draining.fetch('/api/v1/status')).status, 200);
  assert.equal(activeDuringStatus, 1);
  for (const path of ['/tasks', '/content', '/recipes'])
    assert.equal((await draining.fetch(`/api/v1${path}`)).status, 200, path);
  assert.equal((await draining.fetch('/login')).status, 200);
  assert.equal((await draining.fetch('/api/v1/status', { method: 'POST' })).status, 503);
  finish({ items: [], count: 0, totalBytes: 0, fingerprint: fingerprintPrune([]) });
  assert.equal((await underWay).status, 200);
  await stopped;
  await assert.rejects(fetch(`${draining.url}/healthz`));
});

test('requests that take longer than the grace period are aborted', async () => {
  await using own = await openTempFolder();
  let entered = (): void => {};
  const started = new Promise<void>((resolve) => {
    entered = resolve;
  });
  await using slow = await startTestServer({
    folder: own.path,
    operations: {
      previewPrune: () => {
        entered();
        return new Promise(() => {});
      },
    },
  });
  const { hostname, port } = new URL(slow.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  await once(socket, 'connect');
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(
    `GET /api/v1/sync/prune-preview HTTP/1.1\r\nhost: x\r\nauthorization: ${slow.as.admin}\r\n\r\n`,
  );
  await started;
  await slow.instance.stop(20);
  await closed;
  assert.ok(slow.report.records.some(({ message }) => message.includes('grace period')));
});
