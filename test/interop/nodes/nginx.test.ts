import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import {
  createServer,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  request as plainRequest,
  type Server,
} from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { after, before, type TestContext, test } from 'node:test';
import { writeOciLayout } from '../../kit/content/oci-layout.ts';
import { createSampleImage } from '../../kit/content/sample-image.ts';
import { eventually } from '../../kit/instance/eventually.ts';
import { adminPassword, type Instance, startInstance } from '../../kit/instance/instance.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';
import { openClientHome } from '../../kit/program/client-home.ts';
import { type Nginx, startNginx } from '../../kit/program/nginx.ts';
import { needs, onPath } from '../../kit/program/peers.ts';
import { tlsPair } from '../../kit/program/tls-pair.ts';
import { assertHeld } from '../../kit/result/held-content.ts';

/** Where the clients of these tests come from: nginx asks the instance from 127.0.0.1. */
const clientAddress = '127.0.0.5';

let folder: TempFolder;
let instance: Instance;
let nginx: Nginx;

before(async () => {
  const program = onPath('nginx');
  if (program === undefined) return;
  folder = await openTempFolder();
  instance = await startInstance({
    folder: folder.path,
    config: {
      server: {
        addr: '127.0.0.1:0',
        publicURL: 'https://localhost',
        secureCookies: true,
        trustedProxies: ['127.0.0.1'],
      },
    },
  });
  const upstream = Number(new URL(instance.url).port);
  nginx = await startNginx({ program, folder: join(folder.path, 'nginx'), upstream });
});
after(async () => {
  await nginx?.[Symbol.asyncDispose]();
  await instance?.[Symbol.asyncDispose]();
  await folder?.[Symbol.asyncDispose]();
});

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A request through nginx from the address of the clients. */
async function ask(
  method: string,
  path: string,
  options: { headers?: OutgoingHttpHeaders; body?: string | Readable; at?: string } = {},
): Promise<Answer> {
  const { headers = {}, body, at = nginx.url } = options;
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const sent = request(
    `${at}${path}`,
    { method, headers, ca: tlsPair.ca, localAddress: clientAddress, family: 4, agent: false },
    async (response) => {
      const parts: Buffer[] = [];
      for await (const part of response) parts.push(part);
      resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(parts) });
    },
  );
  sent.on('error', reject);
  if (body instanceof Readable) await pipeline(body, sent);
  else sent.end(body);
  return promise;
}

/** The status of a GET that goes past nginx, from an address that is no proxy's. */
async function askDirectly(path: string, headers: OutgoingHttpHeaders): Promise<number> {
  const { hostname, port } = new URL(instance.url);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  plainRequest({ hostname, port, path, headers, localAddress: '127.0.0.6', agent: false }, (response) => {
    response.resume().on('end', () => resolve(response.statusCode!));
  })
    .on('error', reject)
    .end();
  return promise;
}

/** Whether nginx is there; otherwise the test is named as not run. */
const hasNginx = (t: TestContext): boolean => needs(t, 'nginx') !== undefined;

/** The first record of the instance with this field, once it is in the log. */
const recordWith = (name: string, value: string): Promise<any> =>
  eventually(`a record with the ${name} ${value}`, () =>
    instance
      .log()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
      .find((record) => record[name] === value),
  );

test('crane and skopeo push and pull through nginx', async (t) => {
  if (!hasNginx(t)) return;
  const crane = needs(t, 'crane');
  const skopeo = crane && needs(t, 'skopeo');
  if (crane === undefined || skopeo === undefined) return;
  const home = await openClientHome(folder.path);
  const host = `localhost:${nginx.port}`;
  const env = { SSL_CERT_FILE: tlsPair.caFile };
  const image = createSampleImage({ seed: 'nginx' });
  const single = createSampleImage({ seed: 'nginx-single', platforms: ['linux/amd64'] });
  const layout = join(folder.path, 'layout');
  const singleLayout = join(folder.path, 'single');
  await writeOciLayout(layout, '1.0', image);
  await writeOciLayout(singleLayout, '1.0', single);
  const login = ['auth', 'login', host, '-u', 'admin', '--password-stdin'];
  await home.run(crane, login, { input: adminPassword, env });
  await home.run(crane, ['push', singleLayout, `${host}/crane/app:1.0`], { env });
  await assertHeld(instance, 'crane/app', '1.0', single);
  await home.run(crane, ['pull', '--format=oci', `${host}/crane/app:1.0`, join(folder.path, 'back')], {
    env,
  });
  await home.run(crane, ['validate', '--remote', `${host}/crane/app:1.0`], { env });
  const copy = ['copy', '--all', `oci:${layout}:1.0`, `docker://${host}/skopeo/app:1.0`];
  await home.run(skopeo, copy, { env });
  await assertHeld(instance, 'skopeo/app', '1.0', image);
  const pulled = join(folder.path, 'pulled');
  await home.run(skopeo, ['copy', '--all', `docker://${host}/skopeo/app:1.0`, `oci:${pulled}:1.0`], { env });
  const index = JSON.parse(await readFile(join(pulled, 'index.json'), 'utf8'));
  assert.equal(index.manifests[0].digest, image.root.descriptor.digest);
});

test('one signs in and posts a form through nginx, with cookies that only TLS carries', async (t) => {
  if (!hasNginx(t)) return;
  const cookies = new Map<string, string>();
  const browse = async (method: string, path: string, fields?: Record<string, string>): Promise<Answer> => {
    const answer = await ask(method, path, {
      headers: {
        accept: 'text/html',
        cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
        // a browser without Fetch Metadata: the instance compares Origin with Host
        ...(fields === undefined
          ? {}
          : { origin: nginx.url, 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(fields === undefined ? {} : { body: new URLSearchParams(fields).toString() }),
    });
    for (const line of answer.headers['set-cookie'] ?? []) {
      assert.match(line, /; Secure/);
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      cookies.set(name!, value!);
    }
    return answer;
  };
  const tokenOf = (page: Answer): string =>
    /name="csrf" value="([^"]+)"/.exec(page.body.toString())?.[1] ?? '';
  const csrf = tokenOf(await browse('GET', '/login'));
  const signedIn = await browse('POST', '/login', { csrf, name: 'admin', password: adminPassword });
  assert.equal(signedIn.status, 303, signedIn.body.toString());
  assert.equal(signedIn.headers.location, '/');
  const form = await browse('GET', '/admin/accounts/-/token');
  assert.equal(form.status, 200);
  assert.match(form.body.toString(), /https:\/\/localhost\/api\/v1\/tokens/);
  const created = await browse('POST', '/admin/accounts/-/token', {
    csrf: tokenOf(form),
    name: 'behind-nginx',
    role: 'viewer',
  });
  assert.equal(created.status, 303, created.body.toString());
  const made = await browse('GET', created.headers.location!);
  assert.match(made.body.toString(), /svc_[A-Za-z0-9_-]{43}/);
  const record = await recordWith('action', 'token.create');
  assert.deepEqual([record.target, record.actor, record.origin], ['behind-nginx', 'admin', clientAddress]);
});

test('the audit log has the address of the client, whatever the client says', async (t) => {
  if (!hasNginx(t)) return;
  const forged = '203.0.113.9';
  const answer = await ask('GET', '/api/v1/status', {
    headers: {
      authorization: `Basic ${Buffer.from('admin:wrong').toString('base64')}`,
      'x-forwarded-for': forged,
      forwarded: `for=${forged}`,
      'x-real-ip': forged,
      'x-request-id': 'chosen-by-the-client',
    },
  });
  assert.equal(answer.status, 401);
  const record = await recordWith('action', 'auth.authenticate');
  assert.equal(record.origin, clientAddress);
  // one identifier leads from the answer to both logs
  const id = String(answer.headers['x-request-id']);
  await recordWith('correlationId', id);
  for (const made of [forged, 'chosen-by-the-client']) assert.ok(!instance.log().includes(made), made);
  const logged = (await nginx.records()).find(({ correlationId }) => correlationId === id);
  assert.deepEqual([logged?.client, logged?.status, logged?.path], [clientAddress, 401, '/api/v1/status']);
  // a direct client of the instance, which is no proxy of it, is not believed either
  const direct = { 'x-forwarded-for': forged, 'x-request-id': 'asked-directly' };
  assert.equal(await askDirectly('/api/v1/status', direct), 401);
  assert.equal((await recordWith('correlationId', 'asked-directly')).origin, '127.0.0.6');
});

test('a layer of one GiB streams through nginx in both directions, and lies on its disk at no time', async (t) => {
  if (!hasNginx(t)) return;
  const size = 1 << 30;
  const chunk = Buffer.alloc(1 << 20, 'layer');
  const hash = createHash('sha256');
  for (let sent = 0; sent < size; sent += chunk.length) hash.update(chunk);
  const digest = `sha256:${hash.digest('hex')}`;
  const { authorization } = instance;
  const session = await ask('POST', '/v2/big/layer/blobs/uploads/', { headers: { authorization } });
  assert.equal(session.status, 202);
  const location = new URL(session.headers.location!, nginx.url);
  location.searchParams.set('digest', digest);
  const put = await ask('PUT', `${location.pathname}${location.search}`, {
    // without a length: chunked, as clients stream
    headers: { authorization, 'content-type': 'application/octet-stream' },
    body: Readable.from(
      (function* () {
        for (let sent = 0; sent < size; sent += chunk.length) yield chunk;
      })(),
    ),
  });
  assert.equal(put.status, 201, put.body.toString());
  const pulled = createHash('sha256');
  let bytes = 0;
  await new Promise<void>((resolve, reject) => {
    request(
      `${nginx.url}/v2/big/layer/blobs/${digest}`,
      { headers: { authorization }, ca: tlsPair.ca, family: 4, agent: false },
      (response) => {
        response.on('data', (part: Buffer) => {
          bytes += part.length;
          pulled.update(part);
        });
        response.on('end', resolve).on('error', reject);
      },
    )
      .on('error', reject)
      .end();
  });
  assert.deepEqual([bytes, `sha256:${pulled.digest('hex')}`], [size, digest]);
  // the folders for buffers were removed at the start: a buffered body would have failed, and said so here
  assert.doesNotMatch(nginx.complaints(), /buffered to a temporary file|\[crit\]|\[error\].*temp/);
});

test('a standby that nginx knows answers while the instance is away, from the second request on', async (t) => {
  if (!hasNginx(t)) return;
  const standby = createServer((_, response) => response.end('the standby')).listen(0, '127.0.0.1');
  const first = createServer((_, response) => response.end('the first')).listen(0, '127.0.0.1');
  await Promise.all([once(standby, 'listening'), once(first, 'listening')]);
  const portOf = (server: Server): number => (server.address() as AddressInfo).port;
  await using pair = await startNginx({
    program: onPath('nginx')!,
    folder: join(folder.path, 'pair'),
    upstream: portOf(first),
    changes: [['# server 192.0.2.21:8080 backup;', `server 127.0.0.1:${portOf(standby)} backup;`]],
  });
  const read = async () => {
    const { status, body } = await ask('GET', '/v2/', { at: pair.url });
    return [status, body.toString()];
  };
  assert.deepEqual(await read(), [200, 'the first']);
  first.closeAllConnections();
  first.close();
  const away = [{ code: 'UNAVAILABLE', message: 'the instance does not answer' }];
  assert.deepEqual(await read(), [502, JSON.stringify({ errors: away })]);
  for (let i = 0; i < 3; i += 1) assert.deepEqual(await read(), [200, 'the standby']);
  standby.closeAllConnections();
  standby.close();
});

test('plain HTTP leads to TLS, another name is not answered, and the limits hold for pages only', async (t) => {
  if (!hasNginx(t)) return;
  const moved = await fetch(`http://localhost:${nginx.plainPort}/recipes?q=a`, { redirect: 'manual' });
  assert.deepEqual([moved.status, moved.headers.get('location')], [308, `${nginx.url}/recipes?q=a`]);
  const askAs = (options: object) =>
    new Promise((resolve, reject) => {
      request(`${nginx.url}/`, { ca: tlsPair.ca, agent: false, ...options }, resolve)
        .on('error', reject)
        .end();
    });
  await assert.rejects(askAs({ servername: 'registry.test' }));
  // the right name for the connection, and another one in the request
  await assert.rejects(askAs({ servername: 'localhost', headers: { host: 'other.test' } }), {
    code: 'ECONNRESET',
  });
  const statuses = async (path: string, count: number): Promise<Set<number>> =>
    new Set(
      (await Promise.all(Array.from({ length: count }, () => ask('GET', path)))).map(({ status }) => status),
    );
  assert.deepEqual([...(await statuses('/login', 60))].sort(), [200, 429]);
  const { authorization } = instance;
  const pulls = await Promise.all(
    Array.from({ length: 60 }, () => ask('GET', '/v2/', { headers: { authorization } })),
  );
  assert.ok(pulls.every(({ status }) => status === 200));
  assert.equal((await ask('GET', '/metrics')).status, 403);
  assert.equal((await ask('GET', '/readyz')).status, 200);
  // the path arrives as it was sent, and is judged by the instance
  for (const path of ['/v2/a%2fb/tags/list', '/v2//a/tags/list', '/files/x/../../etc/passwd']) {
    const direct = await askDirectly(path, { authorization });
    assert.equal((await ask('GET', path, { headers: { authorization } })).status, direct, path);
  }
});
