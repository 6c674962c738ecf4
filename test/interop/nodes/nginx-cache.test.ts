import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { type Digest, hashBytes } from '../../../src/base/digest.ts';
import { mountMemory, needsMount } from '../../fault/rig/small-volume.ts';
import { buildImage } from '../../kit/content/content.ts';
import { pushArtifactOverHttp } from '../../kit/content/push-artifact.ts';
import { eventually } from '../../kit/instance/eventually.ts';
import { createOpenGate } from '../../kit/instance/open-gate.ts';
import { startTestServer, type TestServer } from '../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';
import { openClientHome } from '../../kit/program/client-home.ts';
import { type NginxCache, type NginxCacheOptions, startNginxCache } from '../../kit/program/nginx-cache.ts';
import { needs, onPath } from '../../kit/program/peers.ts';
import { openTlsDoor, type TlsDoor } from '../../kit/program/tls-door.ts';
import { tlsPair } from '../../kit/program/tls-pair.ts';

const slice = 64 << 10;
/** The example with slices that are smaller than the layers of these tests. */
const smallSlices = [['slice 32m;', 'slice 64k;']] as const;

let folder: TempFolder;
let server: TestServer;
let door: TlsDoor;
let cache: NginxCache;
let closed = false;
/** Whether the store was made elsewhere, so that each blob is hashed while it is sent. */
let foreign = false;
/** Layers that verified recipes reach no more. */
const withdrawn = new Set<Digest>();
const program = onPath('nginx');

const portOf = ({ url }: { url: string }): number => Number(new URL(url).port);

const startServer = (): Promise<TestServer> =>
  startTestServer({
    folder: folder.path,
    trustedProxies: ['127.0.0.1'],
    gate: () => ({
      ...createOpenGate({ rehash: false }),
      get rehash() {
        return foreign;
      },
      isVerifiedFile: () => !foreign,
      allowsBlob: (_, digest) => !withdrawn.has(digest),
      refusal: () => (closed ? { code: 'SVC-MED-030', mediaId: 'medium' } : undefined),
    }),
  });

const startCache = (name: string, options: Partial<NginxCacheOptions> = {}): Promise<NginxCache> =>
  startNginxCache({
    program: program!,
    folder: join(folder.path, name),
    upstream: door.port,
    changes: smallSlices,
    ...options,
  });

before(async () => {
  if (program === undefined) return;
  folder = await openTempFolder();
  server = await startServer();
  door = await openTlsDoor(portOf(server));
  cache = await startCache('cache');
});
after(async () => {
  await cache?.[Symbol.asyncDispose]();
  await door?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
  await folder?.[Symbol.asyncDispose]();
});

/** Whether nginx is there; otherwise the test is named as not run. */
const hasNginx = (t: TestContext): boolean => needs(t, 'nginx') !== undefined;

interface Layer {
  readonly path: string;
  readonly bytes: Buffer;
  readonly manifest: string;
}

/** Pushes an image with one layer of noise. */
async function pushLayer(repository: string, size: number): Promise<Layer> {
  const image = buildImage(repository, { layers: [], ownLayers: 1, layerSize: size });
  const place = { registry: server.url, repository, authorization: server.as.admin };
  await pushArtifactOverHttp(place, image, '1.0');
  const { descriptor, bytes } = image.blobs.find((blob) => blob.bytes.length === size)!;
  return {
    path: `/v2/${repository}/blobs/${descriptor.digest}`,
    bytes,
    manifest: image.manifest.descriptor.digest,
  };
}

const asViewer = (): { authorization: string } => ({ authorization: server.as.viewer });

const listFiles = async ({ slices }: NginxCache): Promise<string[]> =>
  (await readdir(slices, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));

/** Pulls a layer until all of it is in the cache. */
async function warm({ path, bytes }: Layer, from = cache): Promise<void> {
  const { status, body } = await from.ask(path, { headers: asViewer() });
  assert.equal(status, 200);
  assert.ok(body.equals(bytes));
}

test('the second pull comes from the cache, with the same bytes, ranges and headers', async (t) => {
  if (!hasNginx(t)) return;
  const layer = await pushLayer('first', 3 * slice + 100);
  const { path, bytes } = layer;
  const headers = asViewer();
  const miss = await cache.ask(path, { headers });
  const hit = await cache.ask(path, { headers });
  assert.deepEqual([miss.status, miss.headers['x-cache-status']], [200, 'MISS']);
  assert.deepEqual([hit.status, hit.headers['x-cache-status']], [200, 'HIT']);
  for (const { body } of [miss, hit]) assert.ok(body.equals(bytes));
  const digest = hashBytes(bytes);
  assert.equal(hit.headers['docker-content-digest'], digest);
  assert.equal(hit.headers.etag, `"${digest}"`);
  assert.equal(hit.headers['content-length'], String(bytes.length));
  // for the cache of somebody else it is still private
  assert.equal(hit.headers['cache-control'], 'private, max-age=31536000, immutable');
  // the identifier of this request, by which both logs have it, not of the one that filled the cache
  assert.notEqual(hit.headers['x-request-id'], miss.headers['x-request-id']);
  const logged = (await cache.records()).find(
    ({ correlationId }) => correlationId === hit.headers['x-request-id'],
  );
  assert.deepEqual([logged?.cache, logged?.status, logged?.path], ['HIT', 200, path]);

  for (const [range, start, end] of [
    ['bytes=0-0', 0, 1],
    [`bytes=${slice - 5}-${slice + 4}`, slice - 5, slice + 5],
    [`bytes=${2 * slice + 1}-`, 2 * slice + 1, bytes.length],
    ['bytes=-7', bytes.length - 7, bytes.length],
  ] as const) {
    const part = await cache.ask(path, { headers: { ...headers, range, 'if-range': `"${digest}"` } });
    assert.equal(part.status, 206, range);
    assert.equal(part.headers['content-range'], `bytes ${start}-${end - 1}/${bytes.length}`);
    assert.ok(part.body.equals(bytes.subarray(start, end)), range);
  }
  // in a slice that svc does not have, and beyond the end of one that is here
  for (const range of ['bytes=999999999-', `bytes=${bytes.length + 9}-`]) {
    const beyond = await cache.ask(path, { headers: { ...headers, range } });
    assert.equal(beyond.status, 416);
    assert.equal(beyond.headers['content-range'], `bytes */${bytes.length}`);
    assert.match(String(beyond.headers['x-request-id']), /^[0-9a-f]{32}$/, range);
    assert.match(String(beyond.headers['cache-control']), /^(?:no-store|private)$/, range);
    assert.deepEqual([beyond.headers.etag, beyond.headers['docker-content-digest']], [undefined, undefined]);
  }
  const known = await cache.ask(path, { headers: { ...headers, 'if-none-match': `"${digest}"` } });
  assert.deepEqual([known.status, known.body.length], [304, 0]);
  const head = await cache.ask(path, { method: 'HEAD', headers });
  assert.deepEqual([head.status, head.headers['content-length']], [200, String(bytes.length)]);
  // as containerd asks a mirror
  const mirrored = await cache.ask(`${path}?ns=docker.io`, { headers });
  assert.deepEqual([mirrored.headers['x-cache-status'], mirrored.body.equals(bytes)], ['HIT', true]);
  // a layer without bytes has no slice
  const empty = await pushLayer('empty', 0);
  for (let i = 0; i < 2; i += 1) {
    const { status, body } = await cache.ask(empty.path, { headers });
    assert.deepEqual([status, body.length], [200, 0]);
  }
  assert.doesNotMatch(cache.complaints(), /\[(?:crit|alert|emerg)\]/);
});

test('crane pulls through the cache, and every request carries the address of the client', async (t) => {
  if (!hasNginx(t)) return;
  const crane = needs(t, 'crane');
  if (crane === undefined) return;
  await pushLayer('crane/app', slice);
  const home = await openClientHome(folder.path);
  const env = { SSL_CERT_FILE: tlsPair.caFile };
  const host = `localhost:${cache.port}`;
  const login = ['auth', 'login', host, '-u', 'token', '--password-stdin'];
  await home.run(crane, login, { input: server.as.viewer.replace('Bearer ', ''), env });
  for (let i = 0; i < 2; i += 1)
    await home.run(
      crane,
      ['pull', '--format=oci', `${host}/crane/app:1.0`, join(folder.path, `pulled-${i}`)],
      {
        env,
      },
    );
  const records = (await cache.records()).filter(({ path }) =>
    String(path).startsWith('/v2/crane/app/blobs'),
  );
  assert.ok(records.some((record) => record.cache === 'HIT'));

  const from = '127.0.0.7';
  const wrong = { authorization: `Basic ${Buffer.from('admin:wrong').toString('base64')}` };
  const forged = { ...wrong, 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9' };
  assert.equal((await cache.ask('/v2/first/tags/list', { headers: forged, from })).status, 401);
  const { origin } = server.report.audits.findLast(({ action }) => action === 'auth.authenticate')!;
  assert.equal(origin, from);
});

test('what svc refuses is refused, although the bytes are in the cache', async (t) => {
  if (!hasNginx(t)) return;
  const layer = await pushLayer('refused', 2 * slice);
  const { path } = layer;
  await warm(layer);
  const before = await cache.ask(path, { headers: asViewer() });
  assert.equal(before.headers['x-cache-status'], 'HIT');
  const ask = async (headers: Record<string, string>, from = '127.0.0.8', at = path) => {
    const answer = await cache.ask(at, { headers, from });
    assert.ok(!answer.body.includes(layer.bytes.subarray(0, 64)), 'no byte of the layer');
    return { ...answer, text: answer.body.toString() };
  };

  const open = await ask({});
  assert.equal(open.status, 401);
  assert.match(open.headers['www-authenticate']!, /^Basic realm="svc"/);
  assert.equal(JSON.parse(open.text).errors[0].code, 'UNAUTHORIZED');
  assert.equal(open.headers['cache-control'], 'no-store');

  // one wrong password is one failure, and the last of ten leads to 429 with the time to wait
  const failures = () => server.report.audits.filter(({ action }) => action === 'auth.authenticate').length;
  const counted = failures();
  const wrong = { authorization: `Basic ${Buffer.from('admin:wrong').toString('base64')}` };
  assert.equal((await ask(wrong, '127.0.0.9')).status, 401);
  assert.equal(failures(), counted + 1);
  for (let i = 1; i < 10; i += 1) assert.equal((await ask(wrong, '127.0.0.9')).status, 401);
  const throttled = await ask(wrong, '127.0.0.9');
  assert.equal(throttled.status, 429);
  assert.ok(Number(throttled.headers['retry-after']) > 0);

  // another repository does not have it
  const elsewhere = await ask(asViewer(), undefined, path.replace('/refused/', '/first/'));
  assert.deepEqual([elsewhere.status, JSON.parse(elsewhere.text).errors[0].code], [404, 'BLOB_UNKNOWN']);

  const { secret } = await server.accounts.tokens.create({ name: 'node', role: 'viewer' });
  const token = { authorization: `Bearer ${secret}` };
  assert.equal((await cache.ask(path, { headers: token })).headers['x-cache-status'], 'HIT');
  await server.accounts.tokens.revoke('node');
  assert.equal((await ask(token)).status, 401);

  await server.accounts.create({ name: 'ines', password: 'a good password', role: 'viewer' });
  const account = { authorization: `Basic ${Buffer.from('ines:a good password').toString('base64')}` };
  assert.equal((await cache.ask(path, { headers: account })).headers['x-cache-status'], 'HIT');
  await server.accounts.delete('ines');
  assert.equal((await ask(account)).status, 401);

  closed = true;
  const gated = await ask(asViewer());
  closed = false;
  assert.deepEqual(
    [gated.status, JSON.parse(gated.text).errors[0].detail.code],
    [403, 'SVC-MED-030'],
    gated.text,
  );
  assert.equal((await cache.ask(path, { headers: asViewer() })).headers['x-cache-status'], 'HIT');

  const removed = await server.fetch(`/v2/refused/manifests/${layer.manifest}`, { method: 'DELETE' });
  assert.equal(removed.status, 202);
  assert.equal((await ask(asViewer())).status, 404);
  assert.doesNotMatch(cache.complaints(), /\[(?:error|crit|alert|emerg)\]/);
});

test('a request that nginx and svc could read in two ways is judged by svc, and only reads pass', async (t) => {
  if (!hasNginx(t)) return;
  const layer = await pushLayer('plain', slice);
  await warm(layer);
  const digest = hashBytes(layer.bytes);
  const other = await pushLayer('other', slice);
  for (const path of [
    `/v2/plain/blobs/${digest.replace(':', '%3a')}`,
    `/v2/plain/blobs/${digest}%3F/blobs/${digest}`,
    `/v2/plain//blobs/${digest}`,
    `/v2/none/../plain/blobs/${digest}`,
    `/v2/none/%2e%2e/plain/blobs/${digest}`,
    `/v2/plain%2fblobs/blobs/${digest}`,
    `/v2/none/blobs/${digest}#/v2/plain/blobs/${digest}`,
    `/v2/plain/blobs/${digest.toUpperCase()}`,
    `/v2/plain/blobs/${digest}0`,
  ]) {
    const answer = await cache.ask(path, { headers: asViewer() });
    assert.equal(answer.headers['x-cache-status'], undefined, path);
    if (answer.status === 200) assert.ok(answer.body.equals(layer.bytes), path);
    else assert.ok([400, 404].includes(answer.status), `${path}: ${answer.status}`);
  }
  // the name of a repository can contain `blobs`, and the query says nothing
  const query = await cache.ask(`${other.path}?x=/v2/plain/blobs/${digest}`, { headers: asViewer() });
  assert.ok(query.body.equals(other.bytes));
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
    assert.equal((await cache.ask(layer.path, { method, headers: asViewer() })).status, 405, method);
  for (const path of ['/', '/login', '/api/v1/status', '/metrics'])
    assert.equal((await cache.ask(path, { headers: asViewer() })).status, 404, path);
  const asked = await cache.ask('/.svc-allows', { headers: asViewer() });
  assert.ok([403, 404].includes(asked.status), 'the question is for nginx alone');
  assert.equal((await cache.ask('/files/none/', { headers: asViewer() })).status, 404);
});

test('what leads out of the two surfaces by a second reading does not arrive at the instance', async (t) => {
  if (!hasNginx(t)) return;
  const countArrivals = async (): Promise<number> => {
    const text = await (await fetch(`${server.url}/metrics`, { headers: { accept: 'text/plain' } })).text();
    const counts = [...text.matchAll(/^svc_http_requests_total\{[^}]*\} (\d+)$/gm)].map(([, n]) => Number(n));
    return counts.reduce((sum, each) => sum + each, 0);
  };
  const first = await countArrivals();
  const before = await countArrivals();
  for (const path of [
    '/api/v1/status;/../../../v2/',
    '/api/v1/status/..%2f..%2f..%2fv2/',
    '/metrics/..%2fv2/',
    '/metrics/../v2/',
    '/v2/../metrics',
    '/v2/%2e%2e/metrics',
    '/v2/.%2E/metrics',
    '/v2/..\\metrics',
    '/v2\\..\\metrics',
    '/files/..%5cmetrics',
    '/files/../api/v1/status',
    '//metrics/../v2/',
    '/v2/..?x',
    '/%76%32/',
  ]) {
    const { status } = await cache.ask(path, { headers: asViewer() });
    assert.ok([400, 404].includes(status), `${path}: ${status}`);
  }
  assert.equal((await countArrivals()) - before, before - first, 'the count itself alone arrived');
  assert.equal((await cache.ask('/v2/?x=/../%2f', { headers: asViewer() })).status, 200);
});

test('a body is not taken for the beginning of the request of another client', async (t) => {
  if (!hasNginx(t)) return;
  const layer = await pushLayer('wanted', slice);
  const other = await pushLayer('unwanted', slice);
  const hidden = `GET ${other.path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${server.as.viewer}\r\n\r\n`;
  const unknown = `/v2/x/blobs/sha256:${'0'.repeat(64)}`;
  const codings = [{ 'content-length': hidden.length }, { 'transfer-encoding': 'chunked' }];
  for (const coding of codings)
    for (const path of [unknown, layer.path, `/v2/wanted/manifests/${layer.manifest}`, '/v2/'])
      for (const who of [{}, asViewer()]) {
        const { status } = await cache.ask(path, { headers: { ...coding, ...who }, body: hidden });
        assert.equal(status, 400, path);
        // whichever connection to the instance these take, each gets its own answer
        const listed = await cache.ask('/v2/wanted/tags/list', { headers: asViewer() });
        assert.deepEqual(JSON.parse(listed.body.toString()), { name: 'wanted', tags: ['1.0'] }, path);
        await warm(layer);
      }
  // a length of nothing is no body
  assert.equal((await cache.ask('/v2/', { headers: { 'content-length': 0, ...asViewer() } })).status, 200);
});

test('where a body passes, it is not announced to svc either', async (t) => {
  if (!hasNginx(t)) return;
  const layer = await pushLayer('kept-apart', slice);
  let received = '';
  await using relay = await openTlsDoor(portOf(server), (bytes) => {
    received += bytes.toString('latin1');
  });
  await using lenient = await startCache('lenient', {
    upstream: relay.port,
    changes: [...smallSlices, ['"~^0*;$" 0;', '"~" 0;']],
  });
  const body = 'GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n';
  for (const path of [`/v2/x/blobs/sha256:${'0'.repeat(64)}`, layer.path, '/v2/', '/files/x'])
    for (const who of [{}, asViewer()])
      await lenient.ask(path, { headers: { 'content-length': body.length, ...who }, body });
  assert.match(received, /^HEAD \/v2\/x\/blobs/m);
  assert.doesNotMatch(received, /content-length|transfer-encoding|metrics/i);
});

test('a connection by the right name that asks for another one is closed', async (t) => {
  if (!hasNginx(t)) return;
  const { status } = await cache.ask('/v2/', { headers: { ...asViewer(), host: `localhost:${cache.port}` } });
  assert.equal(status, 200);
  await assert.rejects(cache.ask('/', { headers: { host: 'other.test' } }), { code: 'ECONNRESET' });
});

test('bytes that were damaged at the instance are not served any more once the number is raised', async (t) => {
  if (!hasNginx(t)) return;
  const layer = await pushLayer('repaired', 2 * slice);
  await using own = await startCache('repaired');
  await warm(layer, own);
  // as if the instance had sent other bytes of the same size
  for (const file of await listFiles(own)) {
    const kept = await readFile(file);
    kept[kept.length - 1]! ^= 1;
    await writeFile(file, kept);
  }
  const stale = await own.ask(layer.path, { headers: asViewer() });
  assert.deepEqual([stale.headers['x-cache-status'], stale.body.equals(layer.bytes)], ['HIT', false]);
  const place = join(folder.path, 'repaired');
  const sites = await readFile(join(place, 'site.conf'), 'utf8');
  await writeFile(join(place, 'site.conf'), sites.replace('default 1;', 'default 2;'));
  await mkdir(join(place, 'temporary'));
  own.child.kill('SIGHUP');
  await eventually('the new key', async () => {
    const { body } = await own.ask(layer.path, { headers: asViewer() });
    return body.equals(layer.bytes);
  });
});

test('a layer of a carried medium, which svc hashes on the way, is sent whole and not kept', async (t) => {
  if (!hasNginx(t)) return;
  const layer = await pushLayer('carried', 3 * slice);
  foreign = true;
  try {
    for (let i = 0; i < 2; i += 1) {
      const { status, headers, body } = await cache.ask(layer.path, { headers: asViewer() });
      assert.deepEqual([status, headers['x-cache-status']], [200, 'MISS']);
      assert.ok(body.equals(layer.bytes));
    }
    const part = await cache.ask(layer.path, { headers: { ...asViewer(), range: 'bytes=70000-70009' } });
    if (part.status === 206) assert.ok(part.body.equals(layer.bytes.subarray(70_000, 70_010)));
    else assert.ok(part.body.equals(layer.bytes));
  } finally {
    foreign = false;
  }
});

test('without the question to svc, everybody would read the cache: it is what protects', async (t) => {
  if (!hasNginx(t)) return;
  const layer = await pushLayer('protected', slice);
  await using bare = await startCache('bare', {
    changes: [...smallSlices, ['auth_request /.svc-allows;', '']],
  });
  await warm(layer, bare);
  const { status, body } = await bare.ask(layer.path);
  assert.equal(status, 200);
  assert.ok(body.equals(layer.bytes));
});

test('a cache that knows nothing of svc stores nothing', async (t) => {
  if (!hasNginx(t)) return;
  const layer = await pushLayer('naive', slice);
  await using naive = await startCache('naive', {
    changes: [...smallSlices, ['proxy_ignore_headers Cache-Control;', '']],
  });
  for (let i = 0; i < 2; i += 1) await warm(layer, naive);
  assert.deepEqual(await listFiles(naive), []);
  assert.ok((await listFiles(cache)).length > 0, 'where the shipped file keeps them');
});

test('200 clients that ask for a new layer at once cost the instance one transfer', async (t) => {
  if (!hasNginx(t)) return;
  const layer = await pushLayer('rush', 2 * slice + 1);
  await using wide = await startCache('wide', {
    // clients, TLS and the instance are one process here, which may be slow to accept all of them
    changes: [...smallSlices, ['proxy_connect_timeout 5s;', 'proxy_connect_timeout 60s;']],
  });
  const readFetches = async (): Promise<number> => {
    const text = await (await fetch(`${server.url}/metrics`, { headers: { accept: 'text/plain' } })).text();
    return Number(
      /^svc_http_requests_total\{surface="registry",method="GET",status="206"\} (\d+)/m.exec(text)?.[1] ?? 0,
    );
  };
  const before = await readFetches();
  const headers = asViewer();
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, at) => wide.ask(layer.path, { headers, from: `127.0.1.${at + 1}` })),
  );
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200], wide.complaints());
  assert.ok(answers.every(({ body }) => body.equals(layer.bytes)));
  assert.equal((await readFetches()) - before, 3, 'one request for each slice');
});

test('nginx needs at most 100 kB for each slice of a transfer, so that large layers have large slices', async (t) => {
  if (!hasNginx(t)) return;
  const count = 256;
  const layer = await pushLayer('large', count * (32 << 10));
  await using many = await startCache('many', { changes: [['slice 32m;', 'slice 32k;']] });
  const pid = many.child.pid!;
  const [worker] = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ');
  const readPeak = async (): Promise<number> =>
    Number(/^VmHWM:\s+(\d+) kB/m.exec(await readFile(`/proc/${worker}/status`, 'utf8'))![1]) * 1024;
  const before = await readPeak();
  await warm(layer, many);
  await warm(layer, many);
  const grown = (await readPeak()) - before;
  assert.ok(grown < count * 100_000, `${grown} bytes`);
});

test('a client that was cut off by a restart of the instance resumes, and never has wrong bytes', async (t) => {
  if (!hasNginx(t)) return;
  const layer = await pushLayer('halfway', 4 * slice);
  const headers = asViewer();
  // the first half is in the cache
  const first = await cache.ask(layer.path, { headers: { ...headers, range: `bytes=0-${2 * slice - 1}` } });
  assert.equal(first.status, 206);
  await server[Symbol.asyncDispose]();
  const away = await cache.ask(layer.path, { headers });
  assert.equal(away.status, 502, 'without the instance nobody gets anything');
  assert.equal(JSON.parse(away.body.toString()).errors[0].code, 'UNAVAILABLE');
  server = await startServer();
  door.target = portOf(server);
  const rest = await cache.ask(layer.path, {
    headers: { ...asViewer(), range: `bytes=${first.body.length}-`, 'if-range': first.headers.etag! },
  });
  assert.equal(rest.status, 206);
  assert.ok(Buffer.concat([first.body, rest.body]).equals(layer.bytes));
  assert.equal((await cache.ask(layer.path, { headers: asViewer() })).headers['x-cache-status'], 'HIT');
});

test('clients that pull while the instance restarts all end with the right bytes, and then a layer is withdrawn', async (t) => {
  if (!hasNginx(t)) return;
  const layer = await pushLayer('busy', 32 * slice);
  const { promise: isUnderWay, resolve: sayUnderWay } = Promise.withResolvers<void>();
  let cutOff = 0;
  const pull = async (at: number): Promise<void> => {
    const parts: Buffer[] = [];
    let received = 0;
    await eventually(`client ${at} has the layer`, async () => {
      const before = received;
      const headers = { ...asViewer(), range: `bytes=${received}-` };
      const onPart = (part: Buffer, status: number): void => {
        if (status !== 206) return;
        parts.push(part);
        received += part.length;
        sayUnderWay();
      };
      try {
        await cache.ask(layer.path, { headers, from: `127.0.2.${at + 1}`, onPart });
      } catch {
        if (received > before) cutOff += 1;
      }
      return received === layer.bytes.length;
    });
    assert.ok(Buffer.concat(parts).equals(layer.bytes));
  };
  const pulls = Promise.all(Array.from({ length: 12 }, (_, at) => pull(at)));
  await isUnderWay;
  await server[Symbol.asyncDispose]();
  server = await startServer();
  door.target = portOf(server);
  await pulls;
  assert.ok(cutOff > 0, 'somebody was cut off in the middle');
  withdrawn.add(hashBytes(layer.bytes));
  assert.equal((await cache.ask(layer.path, { headers: asViewer() })).status, 404);
});

test('a cache that is full lets the oldest slices go, and pulls go on', async (t) => {
  if (!hasNginx(t)) return;
  await using small = await startCache('small', {
    changes: [...smallSlices, ['max_size=200g min_free=15g', `max_size=${4 * slice} manager_sleep=50ms`]],
  });
  const layers = await Promise.all(Array.from({ length: 6 }, (_, at) => pushLayer(`full-${at}`, 2 * slice)));
  for (const layer of [...layers, ...layers]) await warm(layer, small);
  await eventually('room in the cache', async () => {
    const files = await listFiles(small);
    // a file that is being removed can be gone already
    const sizes = await Promise.all(
      files.map((file) =>
        stat(file).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
    );
    // each slice has a head of its own
    return sizes.reduce((sum, size) => sum + size, 0) <= 4 * (slice + 4096);
  });
  assert.doesNotMatch(small.complaints(), /\[(?:error|crit|alert|emerg)\]/);
});

test('on a volume that something else filled, layers of the cache are served, and others never in part', async (t) => {
  if (!hasNginx(t)) return;
  const place = join(folder.path, 'narrow');
  if (!needsMount(t, folder.path)) return;
  await using volume = mountMemory(place, '4m');
  const kept = await pushLayer('kept', 4 * slice);
  const other = await pushLayer('other-layer', 4 * slice);
  await using narrow = await startCache('narrow', {
    changes: [...smallSlices, ['max_size=200g min_free=15g', 'max_size=200g']],
  });
  await warm(kept, narrow);
  const filler = join(volume.path, 'filler');
  await assert.rejects(writeFile(filler, Buffer.alloc(8 << 20)), { code: 'ENOSPC' });
  await warm(kept, narrow);
  await assert.rejects(narrow.ask(other.path, { headers: asViewer() }));
  await rm(filler);
  await warm(other, narrow);
});
