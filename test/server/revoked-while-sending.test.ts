import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startTestServer, type TestServer } from '../kit/instance/server.ts';

let folder: string;
let server: TestServer;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-revoked-'));
  server = await startTestServer({ folder });
});
after(async () => {
  await server?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

interface Held {
  /** Sends the rest of the body. @returns the answer */
  finish(): Promise<string>;
}

/** Sends the head of a request and the beginning of its body, and waits until the server has begun to read it. */
async function hold(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<Held> {
  const { hostname, port } = new URL(server.url);
  const socket: Socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const lines = Object.entries({
    host: `${hostname}:${port}`,
    ...headers,
    expect: '100-continue',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  // 100 Continue is sent once the credential was accepted
  const [interim] = await once(socket, 'data');
  assert.match(String(interim), /^HTTP\/1\.1 100 /);
  socket.write(body.slice(0, 5));
  return {
    finish: async () => {
      const chunks: Buffer[] = [];
      socket.on('data', (chunk) => chunks.push(chunk));
      const closed = once(socket, 'close');
      socket.write(body.slice(5));
      await closed;
      return Buffer.concat(chunks).toString();
    },
  };
}

const basic = (name: string, password: string): string =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;

test('an account that is deleted while its request arrives changes nothing', async () => {
  await server.accounts.create({ name: 'dora', password: 'a good password', role: 'admin' });
  const held = await hold(
    'POST',
    '/api/v1/tokens',
    { authorization: basic('dora', 'a good password'), 'content-type': 'application/json' },
    JSON.stringify({ name: 'ghost', role: 'admin' }),
  );
  await server.accounts.delete('dora');
  assert.match(await held.finish(), /^HTTP\/1\.1 401 [\s\S]*SVC-AUTH-002/);
  assert.deepEqual(
    (await server.accounts.tokens.list()).filter(({ name }) => name === 'ghost'),
    [],
  );
});

test('an account that is demoted while its request arrives has its new role', async () => {
  await server.accounts.create({ name: 'erik', password: 'a good password', role: 'admin' });
  const held = await hold(
    'POST',
    '/api/v1/accounts',
    { authorization: basic('erik', 'a good password'), 'content-type': 'application/json' },
    JSON.stringify({ name: 'second', password: 'another password', role: 'admin' }),
  );
  await server.accounts.update('erik', { role: 'viewer' });
  assert.match(await held.finish(), /^HTTP\/1\.1 403 [\s\S]*SVC-AUTH-003/);
  assert.equal(server.accounts.find('second'), undefined);
});

test('a token that is revoked while its requests arrive changes neither accounts nor content', async () => {
  const { secret } = await server.accounts.tokens.create({ name: 'robot', role: 'admin' });
  const authorization = `Bearer ${secret}`;
  const account = await hold(
    'POST',
    '/api/v1/accounts',
    { authorization, 'content-type': 'application/json' },
    JSON.stringify({ name: 'third', password: 'another password', role: 'admin' }),
  );
  const manifest = await hold(
    'PUT',
    '/v2/race/empty/manifests/1',
    { authorization, 'content-type': 'application/vnd.oci.image.index.v1+json' },
    JSON.stringify({
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.index.v1+json',
      manifests: [],
    }),
  );
  await server.accounts.tokens.revoke('robot');
  assert.match(await account.finish(), /^HTTP\/1\.1 401 /);
  assert.match(await manifest.finish(), /^HTTP\/1\.1 401 /);
  assert.equal(server.accounts.find('third'), undefined);
  assert.equal(server.store.index.tag('race/empty', '1'), undefined);
});

test('a form of somebody who is deleted while it arrives changes nothing, and shows nothing', async () => {
  await server.accounts.create({ name: 'fred', password: 'a good password', role: 'admin' });
  const login = await fetch(`${server.url}/login`);
  const cookies = login.headers.getSetCookie().map((each) => each.split(';')[0]!);
  const csrfOf = (text: string): string => /name="csrf" value="([^"]+)"/.exec(text)![1]!;
  const signedIn = await fetch(`${server.url}/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: cookies.join('; '), origin: server.url },
    body: new URLSearchParams({
      csrf: csrfOf(await login.text()),
      name: 'fred',
      password: 'a good password',
    }),
  });
  assert.equal(signedIn.status, 303);
  const cookie = signedIn.headers
    .getSetCookie()
    .map((each) => each.split(';')[0]!)
    .find((each) => each.startsWith('svc_session='))!;
  const form = await (await fetch(`${server.url}/admin/accounts/-/new`, { headers: { cookie } })).text();
  const fields = { csrf: csrfOf(form), name: 'fourth', password: 'another password', role: 'admin' };
  const held = await hold(
    'POST',
    '/admin/accounts/-/new',
    { cookie, origin: server.url, 'content-type': 'application/x-www-form-urlencoded' },
    new URLSearchParams(fields).toString(),
  );
  await server.accounts.delete('fred');
  const answer = await held.finish();
  assert.match(answer, /^HTTP\/1\.1 303 [\s\S]*location: \/login/i);
  assert.doesNotMatch(answer, /<form/);
  assert.equal(server.accounts.find('fourth'), undefined);
});
