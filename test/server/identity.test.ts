import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { startTestServer, type TestServer } from '../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../kit/instance/temp-folder.ts';

let folder: TempFolder;
let server: TestServer;
let open: TestServer;
let openFolder: TempFolder;

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({ folder: folder.path });
  openFolder = await openTempFolder();
  open = await startTestServer({
    folder: openFolder.path,
    authDisabled: true,
    hosts: ['named.example'],
  });
});
after(async () => {
  for (const item of [server, folder, open, openFolder]) await item[Symbol.asyncDispose]();
});

async function code(response: Response): Promise<string> {
  return ((await response.json()) as { code: string }).code;
}

/** `fetch` would overwrite Host and Sec-Fetch-Site. */
async function send(url: string, head: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setEncoding('latin1');
  socket.write(`${head}connection: close\r\n\r\n`);
  let answer = '';
  for await (const chunk of socket) answer += chunk;
  return answer;
}

const basic = (name: string, password: string) =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;

test('passwords and tokens are taken as Basic, tokens as Bearer', async () => {
  const secret = server.as.viewer.slice('Bearer '.length);
  for (const authorization of [basic('admin', 'admin password'), basic('anyone', secret), server.as.viewer]) {
    const response = await server.fetch('/api/v1/tasks', { headers: { authorization } });
    assert.equal(response.status, 200);
    await response.text();
  }
  const wrong = await server.fetch('/api/v1/tasks', { headers: { authorization: basic('admin', 'wrong') } });
  assert.equal(wrong.status, 401);
  assert.match(wrong.headers.get('www-authenticate') ?? '', /^Basic /);
  assert.equal(await code(wrong), 'SVC-AUTH-002');
});

test('an unknown cookie is an expired session on reads, and is ignored on changes', async () => {
  const cookie = { cookie: 'svc_session=unknown', authorization: '' };
  const read = await server.fetch('/api/v1/tasks', { headers: cookie });
  assert.equal(read.status, 401);
  assert.match(read.headers.get('www-authenticate') ?? '', /^Bearer /);
  assert.equal(await code(read), 'SVC-AUTH-005');
  const change = await server.fetch('/api/v1/sync', { method: 'POST', headers: cookie });
  const refused = (await change.json()) as Record<string, string>;
  assert.equal(refused.code, 'SVC-AUTH-002');
  assert.match(refused.title!, /the session of a browser is not enough/);
  assert.match(refused.action!, /Basic.*Bearer/);
  assert.doesNotMatch(refused.action!, /Sign in again/);
  const nothing = await server.fetch('/api/v1/sync', { method: 'POST', headers: { authorization: '' } });
  assert.match(((await nothing.json()) as Record<string, string>).action!, /sign in again/);
  const registry = await server.fetch('/v2/', { headers: cookie });
  assert.equal(registry.status, 401);
  await registry.text();
});

test('a client with a Bearer token may come from anywhere: no browser sends one by itself', async () => {
  const answer = await send(
    server.url,
    `GET /api/v1/tasks HTTP/1.1\r\nhost: any.example\r\norigin: https://evil.example\r\nsec-fetch-site: cross-site\r\nauthorization: ${server.as.viewer}\r\n`,
  );
  assert.match(answer, /^HTTP\/1\.1 200 /);
});

test('a page of another site cannot use the Basic credentials that a browser keeps for this one', async () => {
  await server.accounts.tokens.create({ name: 'standing', role: 'viewer' });
  const secret = server.as.admin.slice('Bearer '.length);
  const kept = [basic('admin', 'admin password'), basic('anyone', secret)];
  const revoke = '/api/v1/tokens/standing/revoke';
  for (const target of [`POST ${revoke}`, 'POST /v2/some/repository/blobs/uploads/', 'GET /files/unknown/x'])
    for (const authorization of kept)
      for (const header of [
        'sec-fetch-site: cross-site',
        'sec-fetch-site: same-site',
        'origin: null',
        'origin: https://evil.example',
      ]) {
        const answer = await send(
          server.url,
          `${target} HTTP/1.1\r\nhost: svc.example\r\n${header}\r\nauthorization: ${authorization}\r\ncontent-length: 0\r\n`,
        );
        assert.match(answer, /^HTTP\/1\.1 403 /, `${target} ${header}`);
        assert.match(answer, /SVC-AUTH-004/, `${target} ${header}`);
      }
  const { tokens } = server.accounts;
  assert.equal((await tokens.list()).find(({ name }) => name === 'standing')?.revokedAt, undefined);
  assert.ok(
    server.report.audits.some(
      ({ target, outcome, details }) =>
        target === `POST ${revoke}` && outcome === 'denied' && details?.code === 'SVC-AUTH-004',
    ),
  );
  const own = [
    'sec-fetch-site: same-origin\r\norigin: null',
    'sec-fetch-site: none',
    'origin: http://svc.example',
  ];
  for (const header of own) {
    const answer = await send(
      server.url,
      `GET /api/v1/tasks HTTP/1.1\r\nhost: svc.example\r\n${header}\r\nauthorization: ${kept[0]}\r\n`,
    );
    assert.match(answer, /^HTTP\/1\.1 200 /, header);
  }
});

test('a link on another site to a file of a file set can be followed, and nothing else of it can be used there', async () => {
  const from = (fetched: string) =>
    send(
      server.url,
      `GET /files/unknown/x HTTP/1.1\r\nhost: svc.example\r\nsec-fetch-site: cross-site\r\n${fetched}authorization: ${basic('admin', 'admin password')}\r\n`,
    );
  assert.match(await from('sec-fetch-mode: navigate\r\nsec-fetch-dest: document\r\n'), /^HTTP\/1\.1 404 /);
  assert.match(await from('sec-fetch-mode: navigate\r\nsec-fetch-dest: iframe\r\n'), /^HTTP\/1\.1 403 /);
  assert.match(await from('sec-fetch-mode: no-cors\r\nsec-fetch-dest: script\r\n'), /^HTTP\/1\.1 403 /);
});

test('a request in absolute form is answered like any other, and its authority is its host', async () => {
  const get = (url: string, target: string, authorization = '') =>
    send(url, `GET ${target} HTTP/1.1\r\nhost: other.example\r\n${authorization}`);
  const credential = `authorization: ${server.as.viewer}\r\n`;
  assert.match(await get(server.url, `${server.url}/api/v1/tasks?page=1`, credential), /^HTTP\/1\.1 200 /);
  assert.match(await get(server.url, `${server.url}/v2/`, credential), /^HTTP\/1\.1 200 /);
  assert.match(await get(server.url, `${server.url}/healthz`), /^HTTP\/1\.1 200 /);
  assert.match(await get(server.url, server.url), /^HTTP\/1\.1 303 /);
  assert.match(await get(open.url, 'http://named.example/api/v1/tasks'), /^HTTP\/1\.1 200 /);
  assert.match(await get(open.url, 'http://evil.example/api/v1/tasks'), /^HTTP\/1\.1 403 /);
});

test('without authentication every client is an anonymous administrator', async () => {
  const response = await open.fetch('/api/v1/accounts');
  assert.equal(response.status, 200);
  await response.text();
  const created = await open.fetch('/api/v1/tokens', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"name":"t","role":"viewer"}',
  });
  assert.equal(created.status, 201);
  await created.text();
  assert.ok(
    open.report.audits.some(({ action, actor }) => action === 'token.create' && actor === 'anonymous'),
  );
});

test('without authentication the Host must be a name of this instance, and requests of other sites are refused', async () => {
  const get = (host: string, headers = '') =>
    send(open.url, `GET /api/v1/tasks HTTP/1.1\r\nhost: ${host}\r\n${headers}`);
  for (const host of [
    '127.0.0.1',
    '10.1.2.3:8080',
    '[::1]:80',
    'localhost:9',
    'named.example',
    'NAMED.example:1',
  ])
    assert.match(await get(host), /^HTTP\/1\.1 200 /, host);
  for (const host of ['evil.example', 'localhost.evil.example', 'named.example.evil', ''])
    assert.match(await get(host), /^HTTP\/1\.1 (403|400) /, host);
  for (const header of [
    'sec-fetch-site: cross-site\r\n',
    'origin: https://evil.example\r\n',
    'origin: null\r\n',
  ]) {
    const answer = await get('localhost', header);
    assert.match(answer, /^HTTP\/1\.1 403 /, header);
    assert.match(answer, /SVC-AUTH-004/);
  }
  assert.match(
    await get('localhost', 'sec-fetch-site: same-origin\r\norigin: http://localhost\r\n'),
    /^HTTP\/1\.1 200 /,
  );
  const registry = await send(open.url, 'GET /v2/_catalog HTTP/1.1\r\nhost: evil.example\r\n');
  assert.match(registry, /^HTTP\/1\.1 403 /);
});

test('repeated failures from one origin are 429 with the time to wait, and a valid token still passes', async () => {
  let last: Response | undefined;
  for (let i = 0; i < 12; i += 1) {
    last = await server.fetch('/api/v1/tasks', { headers: { authorization: basic('admin', `wrong${i}`) } });
    if (last.status === 429) break;
    await last.text();
  }
  assert.equal(last!.status, 429);
  assert.ok(Number(last!.headers.get('retry-after')) > 0);
  assert.equal(await code(last!), 'SVC-AUTH-012');
  const registry = await server.fetch('/v2/', { headers: { authorization: basic('admin', 'again') } });
  assert.equal(registry.status, 429);
  await registry.text();
  const token = await server.fetch('/api/v1/tasks', { headers: { authorization: server.as.viewer } });
  assert.equal(token.status, 200);
  await token.text();
});
