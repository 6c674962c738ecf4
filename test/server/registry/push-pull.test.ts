import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import http from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { mediaTypes } from '../../../src/oci/media-types.ts';
import { emptyStore } from '../../../src/store/empty-store.ts';
import { openRepository } from '../../../src/store/open-repository.ts';
import { toManifest as toContent } from '../../kit/content/content.ts';
import { toBlob, toImage, toManifest } from '../../kit/content/oci-content.ts';
import { pushArtifact } from '../../kit/content/push-artifact.ts';
import { startTestServer, type TestServer } from '../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';

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

const octets = { 'content-type': 'application/octet-stream' };

async function open(repository: string, query = ''): Promise<string> {
  const response = await server.fetch(`/v2/${repository}/blobs/uploads/${query}`, { method: 'POST' });
  assert.equal(response.status, 202, await response.text());
  return response.headers.get('location')!;
}

async function push(repository: string, bytes: Buffer, digest: string): Promise<Response> {
  return server.fetch(`/v2/${repository}/blobs/uploads/?digest=${digest}`, {
    method: 'POST',
    headers: octets,
    body: bytes as never,
  });
}

async function pushImage(repository: string, reference: string, image: { mediaType: string; bytes: Buffer }) {
  return server.fetch(`/v2/${repository}/manifests/${reference}`, {
    method: 'PUT',
    headers: { 'content-type': image.mediaType },
    body: image.bytes as never,
  });
}

async function errorCode(response: Response): Promise<string> {
  const { errors } = (await response.json()) as { errors: { code: string }[] };
  return errors[0]!.code;
}

test('the base path answers viewers, and challenges other clients', async () => {
  const open = await fetch(`${server.url}/v2/`);
  assert.equal(open.status, 401);
  assert.match(open.headers.get('www-authenticate') ?? '', /^Basic realm=/);
  assert.equal(await errorCode(open), 'UNAUTHORIZED');
  const known = await server.fetch('/v2/', { headers: { authorization: server.as.viewer } });
  assert.equal(known.status, 200);
  assert.equal(known.headers.get('docker-distribution-api-version'), 'registry/2.0');
});

test('a blob pushed at once comes back byte for byte, whole and in parts', async () => {
  const bytes = randomBytes(2_500_001);
  const { digest } = toBlob(bytes);
  const created = await push('at/once', bytes, digest);
  assert.equal(created.status, 201);
  assert.equal(created.headers.get('location'), `/v2/at/once/blobs/${digest}`);
  const path = `/v2/at/once/blobs/${digest}`;
  const head = await server.fetch(path, { method: 'HEAD' });
  assert.equal(head.headers.get('content-length'), String(bytes.length));
  assert.equal(head.headers.get('docker-content-digest'), digest);
  const whole = await server.fetch(path);
  assert.deepEqual(Buffer.from(await whole.arrayBuffer()), bytes);
  const part = await server.fetch(path, { headers: { range: 'bytes=1000000-2100000' } });
  assert.equal(part.status, 206);
  assert.equal(part.headers.get('content-range'), `bytes 1000000-2100000/${bytes.length}`);
  assert.deepEqual(Buffer.from(await part.arrayBuffer()), bytes.subarray(1_000_000, 2_100_001));
  const beyond = await server.fetch(path, { headers: { range: `bytes=${bytes.length}-` } });
  assert.equal(beyond.status, 416);
  assert.equal(beyond.headers.get('content-range'), `bytes */${bytes.length}`);
  await beyond.text();
  const stale = await server.fetch(path, { headers: { range: 'bytes=0-1', 'if-range': '"other"' } });
  assert.equal(stale.status, 200);
  await stale.arrayBuffer();
});

test('chunks are accepted in order only, and the session reports its offset', async () => {
  const bytes = randomBytes(30_000);
  const { digest } = toBlob(bytes);
  const location = await open('chunked');
  const patch = (start: number, end: number) =>
    server.fetch(location, {
      method: 'PATCH',
      headers: { ...octets, 'content-range': `${start}-${end - 1}` },
      body: bytes.subarray(start, end) as never,
    });
  const first = await patch(0, 10_000);
  assert.equal(first.status, 202);
  assert.equal(first.headers.get('range'), '0-9999');
  const gap = await patch(20_000, 30_000);
  assert.equal(gap.status, 416);
  assert.equal(gap.headers.get('range'), '0-9999');
  await gap.text();
  const again = await patch(0, 10_000);
  assert.equal(again.status, 416);
  await again.text();
  const status = await server.fetch(location);
  assert.equal(status.status, 204);
  assert.equal(status.headers.get('range'), '0-9999');
  assert.equal((await patch(10_000, 20_000)).status, 202);
  const late = await server.fetch(`${location}?digest=${digest}`, {
    method: 'PUT',
    headers: { ...octets, 'content-range': '25000-29999' },
    body: bytes.subarray(25_000) as never,
  });
  assert.equal(late.status, 416);
  await late.text();
  const closed = await server.fetch(`${location}?digest=${digest}`, {
    method: 'PUT',
    headers: { ...octets, 'content-range': '20000-29999' },
    body: bytes.subarray(20_000) as never,
  });
  assert.equal(closed.status, 201);
  const pulled = await server.fetch(`/v2/chunked/blobs/${digest}`);
  assert.deepEqual(Buffer.from(await pulled.arrayBuffer()), bytes);
  const ended = await server.fetch(location);
  assert.equal(ended.status, 404);
  assert.equal(await errorCode(ended), 'BLOB_UPLOAD_UNKNOWN');
});

test('one streamed PATCH without a length is a whole upload', async () => {
  const bytes = randomBytes(300_000);
  const { digest } = toBlob(bytes);
  const location = await open('streamed');
  async function* chunks() {
    for (let i = 0; i < bytes.length; i += 50_000) yield bytes.subarray(i, i + 50_000);
  }
  const patched = await server.fetch(location, {
    method: 'PATCH',
    headers: octets,
    body: chunks() as never,
    duplex: 'half',
  } as RequestInit);
  assert.equal(patched.status, 202);
  const closed = await server.fetch(`${location}?digest=${digest}`, { method: 'PUT' });
  assert.equal(closed.status, 201);
});

test('a chunk with another length than announced is an error', async () => {
  const location = await open('lengths');
  const short = await server.fetch(location, {
    method: 'PATCH',
    headers: { ...octets, 'content-range': '0-99' },
    body: Buffer.alloc(50) as never,
  });
  assert.equal(short.status, 400);
  assert.equal(await errorCode(short), 'SIZE_INVALID');
  assert.equal((await server.fetch(location)).status, 204);
});

test('bytes that do not have the digest are refused and leave nothing', async () => {
  const wrong = toBlob('something else').digest;
  const listParts = () => readdir(join(server.store.root, '_svc/tmp'));
  const parts = await listParts();
  const response = await push('wrong', Buffer.from('content'), wrong);
  assert.equal(response.status, 400);
  assert.equal(await errorCode(response), 'DIGEST_INVALID');
  assert.equal((await server.fetch(`/v2/wrong/blobs/${wrong}`, { method: 'HEAD' })).status, 404);
  const location = await open('wrong');
  const closed = await server.fetch(`${location}?digest=${wrong}`, {
    method: 'PUT',
    headers: octets,
    body: 'content',
  });
  assert.equal(closed.status, 400);
  assert.equal(await errorCode(closed), 'DIGEST_INVALID');
  assert.deepEqual(await listParts(), parts);
});

test('sha512 content is stored, found and tagged under its own algorithm', async () => {
  const config = toBlob('{}', 'sha512');
  const location = await open('strong', '?digest-algorithm=sha512');
  const closed = await server.fetch(`${location}?digest=${config.digest}`, {
    method: 'PUT',
    headers: octets,
    body: config.bytes as never,
  });
  assert.equal(closed.status, 201);
  const image = toImage(config, []);
  const strong = toBlob(image.bytes, 'sha512').digest;
  const put = await pushImage('strong', `${strong}?tag=one&tag=two`, image);
  assert.equal(put.status, 201);
  assert.equal(put.headers.get('docker-content-digest'), strong);
  for (const tag of ['one', 'two', strong]) {
    const head = await server.fetch(`/v2/strong/manifests/${tag}`, { method: 'HEAD' });
    assert.equal(head.headers.get('docker-content-digest'), strong);
  }
  const unknown = await server.fetch('/v2/strong/blobs/uploads/?digest-algorithm=md5', { method: 'POST' });
  assert.equal(unknown.status, 400);
  await unknown.text();
});

test('a blob is mounted from where it can be seen, named or not, and else becomes an upload', async () => {
  const blob = toBlob(randomBytes(1000));
  assert.equal((await push('source', blob.bytes, blob.digest)).status, 201);
  const mount = (to: string, query: string) =>
    server.fetch(`/v2/${to}/blobs/uploads/?mount=${blob.digest}${query}`, { method: 'POST' });
  assert.equal((await mount('mounted/a', '&from=source')).status, 201);
  assert.equal((await mount('mounted/b', '')).status, 201);
  assert.equal((await mount('mounted/c', '&from=elsewhere')).status, 202);
  assert.equal((await server.fetch(`/v2/mounted/a/blobs/${blob.digest}`, { method: 'HEAD' })).status, 200);
  assert.equal((await server.fetch(`/v2/mounted/c/blobs/${blob.digest}`, { method: 'HEAD' })).status, 404);
});

test('a manifest is served as it was pushed, whatever is accepted', async () => {
  const config = toBlob('{"os":"linux","architecture":"amd64"}');
  const layer = toBlob(randomBytes(64));
  for (const blob of [config, layer]) await push('served', blob.bytes, blob.digest);
  const image = toImage(config, [layer]);
  const put = await pushImage('served', 'v1', image);
  assert.equal(put.status, 201);
  assert.equal(put.headers.get('location'), `/v2/served/manifests/${image.digest}`);
  for (const accept of [undefined, '*/*', 'text/plain', mediaTypes.dockerManifest]) {
    const headers = accept === undefined ? {} : { accept };
    for (const reference of ['v1', image.digest]) {
      const response = await server.fetch(`/v2/served/manifests/${reference}`, { headers });
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('content-type'), mediaTypes.ociManifest);
      assert.equal(response.headers.get('docker-content-digest'), image.digest);
      assert.deepEqual(Buffer.from(await response.arrayBuffer()), image.bytes);
    }
  }
});

test('a Docker manifest list and its image keep their media types', async () => {
  const config = toBlob('{"docker":true}');
  await push('docker', config.bytes, config.digest);
  const image = toManifest({
    schemaVersion: 2,
    mediaType: mediaTypes.dockerManifest,
    config: { mediaType: mediaTypes.dockerConfig, digest: config.digest, size: config.bytes.length },
    layers: [],
  });
  assert.equal((await pushImage('docker', image.digest, image)).status, 201);
  const many = toManifest({
    schemaVersion: 2,
    mediaType: mediaTypes.dockerManifestList,
    manifests: [
      {
        mediaType: image.mediaType,
        digest: image.digest,
        size: image.bytes.length,
        platform: { os: 'linux', architecture: 'amd64' },
      },
    ],
  });
  assert.equal((await pushImage('docker', 'list', many)).status, 201);
  const response = await server.fetch('/v2/docker/manifests/list');
  assert.equal(response.headers.get('content-type'), mediaTypes.dockerManifestList);
  await response.text();
});

test('an index may lack children, an image may not lack blobs', async () => {
  const missing = toBlob('never pushed');
  const image = toImage(missing, [missing]);
  const refused = await pushImage('sparse', 'image', image);
  assert.equal(refused.status, 404);
  assert.equal(await errorCode(refused), 'MANIFEST_BLOB_UNKNOWN');
  const index = toManifest({
    schemaVersion: 2,
    mediaType: mediaTypes.ociIndex,
    manifests: [{ mediaType: image.mediaType, digest: image.digest, size: image.bytes.length }],
  });
  assert.equal((await pushImage('sparse', 'index', index)).status, 201);
});

test('non-distributable layers may be absent', async () => {
  const config = toBlob('{}');
  await push('foreign', config.bytes, config.digest);
  const layer = toBlob('elsewhere');
  const image = toManifest({
    schemaVersion: 2,
    mediaType: mediaTypes.ociManifest,
    config: { mediaType: mediaTypes.ociConfig, digest: config.digest, size: config.bytes.length },
    layers: [
      {
        mediaType: 'application/vnd.oci.image.layer.nondistributable.v1.tar+gzip',
        digest: layer.digest,
        size: layer.bytes.length,
        urls: ['https://elsewhere.example/layer'],
      },
    ],
  });
  assert.equal((await pushImage('foreign', 'v1', image)).status, 201);
});

test('an unsupported manifest is refused with its rule', async () => {
  const cases: readonly [string, string | Buffer][] = [
    [mediaTypes.ociManifest, 'not json'],
    [mediaTypes.ociManifest, '[]'],
    [mediaTypes.ociManifest, '{"schemaVersion":1}'],
    [mediaTypes.dockerSchema1Signed, '{"schemaVersion":1,"name":"x","tag":"y"}'],
    [mediaTypes.withdrawnArtifact, `{"schemaVersion":2,"mediaType":"${mediaTypes.withdrawnArtifact}"}`],
    [mediaTypes.ociManifest, `{"schemaVersion":2,"mediaType":"${mediaTypes.ociIndex}","manifests":[]}`],
    ['text/plain', `{"schemaVersion":2,"mediaType":"${mediaTypes.ociIndex}","manifests":[]}`],
    [mediaTypes.ociIndex, `${'['.repeat(1000)}${']'.repeat(1000)}`],
  ];
  for (const [mediaType, body] of cases) {
    const response = await pushImage('invalid', 'v1', { mediaType, bytes: Buffer.from(body) });
    assert.equal(response.status, 400, String(body).slice(0, 80));
    assert.equal(await errorCode(response), 'MANIFEST_INVALID');
  }
  const other = toManifest({ schemaVersion: 2, mediaType: mediaTypes.ociIndex, manifests: [] });
  const misnamed = await pushImage('invalid', toBlob('other').digest, other);
  assert.equal(misnamed.status, 400);
  assert.equal(await errorCode(misnamed), 'DIGEST_INVALID');
});

test('a manifest over 4 MiB is refused by its length', async () => {
  const response = await pushImage('large', 'v1', {
    mediaType: mediaTypes.ociManifest,
    bytes: Buffer.alloc(4_194_305, 32),
  });
  assert.equal(response.status, 413);
  await response.text();
});

test('deleting ends a tag, a manifest and a blob, each in its own way', async () => {
  const config = toBlob('{"delete":1}');
  await push('gone', config.bytes, config.digest);
  const image = toImage(config, []);
  for (const tag of ['one', 'two']) assert.equal((await pushImage('gone', tag, image)).status, 201);
  const remove = (path: string) => server.fetch(`/v2/gone/${path}`, { method: 'DELETE' });
  assert.equal((await remove('manifests/one')).status, 202);
  const second = await remove('manifests/one');
  assert.equal(second.status, 404);
  assert.equal(await errorCode(second), 'MANIFEST_UNKNOWN');
  assert.equal((await server.fetch('/v2/gone/manifests/two', { method: 'HEAD' })).status, 200);
  const needed = await remove(`blobs/${config.digest}`);
  assert.equal(needed.status, 405);
  assert.equal(await errorCode(needed), 'UNSUPPORTED');
  assert.equal((await remove(`manifests/${image.digest}`)).status, 202);
  assert.equal((await server.fetch('/v2/gone/manifests/two', { method: 'HEAD' })).status, 404);
  assert.equal((await server.fetch(`/v2/gone/manifests/${image.digest}`, { method: 'HEAD' })).status, 404);
  const loose = toBlob('loose');
  await push('gone', loose.bytes, loose.digest);
  assert.equal((await remove(`blobs/${loose.digest}`)).status, 202);
  assert.equal((await remove(`blobs/${loose.digest}`)).status, 404);
});

test('referrers are found by their subject, filtered by type, and announced at the push', async () => {
  const config = toBlob('{"subject":1}');
  await push('refer', config.bytes, config.digest);
  const image = toImage(config, []);
  const subject = { mediaType: image.mediaType, digest: image.digest, size: image.bytes.length };
  for (const artifactType of ['application/x-one', 'application/x-two']) {
    const artifact = toImage(config, [], { artifactType, subject, annotations: { kind: artifactType } });
    const put = await pushImage('refer', artifact.digest, artifact);
    assert.equal(put.status, 201);
    assert.equal(put.headers.get('oci-subject'), image.digest);
  }
  const all = await server.fetch(`/v2/refer/referrers/${image.digest}`);
  assert.equal(all.headers.get('content-type'), mediaTypes.ociIndex);
  assert.equal(all.headers.get('oci-filters-applied'), null);
  const { manifests } = (await all.json()) as { manifests: any[] };
  assert.equal(manifests.length, 2);
  const one = await server.fetch(`/v2/refer/referrers/${image.digest}?artifactType=application/x-one`);
  assert.equal(one.headers.get('oci-filters-applied'), 'artifactType');
  const filtered = (await one.json()) as { manifests: any[] };
  assert.equal(filtered.manifests.length, 1);
  assert.equal(filtered.manifests[0].artifactType, 'application/x-one');
  assert.deepEqual(filtered.manifests[0].annotations, { kind: 'application/x-one' });
  const none = await server.fetch(`/v2/refer/referrers/${toBlob('nobody').digest}`);
  assert.equal(none.status, 200);
  assert.deepEqual(((await none.json()) as { manifests: unknown[] }).manifests, []);
});

test('lists come in byte order and in pages that name the next', async () => {
  const index = toManifest({ schemaVersion: 2, mediaType: mediaTypes.ociIndex, manifests: [] });
  for (const tag of ['b', 'a', 'C', '10', '2']) await pushImage('paged', tag, index);
  const seen: string[] = [];
  let path: string | undefined = '/v2/paged/tags/list?n=2';
  for (let pages = 0; path !== undefined && pages < 10; pages += 1) {
    const response: Response = await server.fetch(path);
    const { tags } = (await response.json()) as { tags: string[] };
    assert.ok(tags.length <= 2);
    seen.push(...tags);
    path = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  }
  assert.deepEqual(seen, ['10', '2', 'C', 'a', 'b']);
  const after = await server.fetch('/v2/paged/tags/list?last=C');
  assert.deepEqual(((await after.json()) as { tags: string[] }).tags, ['a', 'b']);
  const zero = await server.fetch('/v2/paged/tags/list?n=0');
  assert.deepEqual(((await zero.json()) as { tags: string[] }).tags, []);
  assert.equal(zero.headers.get('link'), null);
  const bad = await server.fetch('/v2/paged/tags/list?n=-1');
  assert.equal(bad.status, 400);
  await bad.text();
  const catalog = await server.fetch('/v2/_catalog?n=3');
  const { repositories } = (await catalog.json()) as { repositories: string[] };
  assert.equal(repositories.length, 3);
  assert.deepEqual(repositories, [...repositories].sort());
  assert.match(catalog.headers.get('link') ?? '', /^<\/v2\/_catalog\?/);
  const unknown = await server.fetch('/v2/nowhere/tags/list');
  assert.equal(unknown.status, 404);
  assert.equal(await errorCode(unknown), 'NAME_UNKNOWN');
});

test('pulling takes viewer, everything else operator', async () => {
  const blob = toBlob('roles');
  await push('roles', blob.bytes, blob.digest);
  const as = (authorization: string, path: string, method: string) =>
    server.fetch(path, { method, headers: { authorization } });
  assert.equal((await as(server.as.viewer, `/v2/roles/blobs/${blob.digest}`, 'GET')).status, 200);
  for (const [method, path] of [
    ['POST', '/v2/roles/blobs/uploads/'],
    ['PUT', '/v2/roles/manifests/x'],
    ['DELETE', `/v2/roles/blobs/${blob.digest}`],
  ] as const) {
    const response = await as(server.as.viewer, path, method);
    assert.equal(response.status, 403);
    assert.equal(await errorCode(response), 'DENIED');
  }
  assert.ok(server.report.audits.some((a) => a.action === 'registry.access' && a.outcome === 'denied'));
});

test('an upload before a reset is unknown afterwards, however it is continued', async () => {
  const ways: readonly ((location: string) => Promise<Response>)[] = [
    (location) => server.fetch(location, { method: 'PATCH', headers: octets, body: 'more' }),
    (location) =>
      server.fetch(`${location}?digest=${toBlob(Buffer.from('begun')).digest}`, { method: 'PUT' }),
    (location) => server.fetch(location),
    (location) => server.fetch(location, { method: 'DELETE' }),
  ];
  const begun: string[] = [];
  for (const _ of ways) {
    const location = await open('reset/app');
    const patched = await server.fetch(location, { method: 'PATCH', headers: octets, body: 'begun' });
    assert.equal(patched.status, 202);
    begun.push(location);
  }
  await emptyStore(server.store);
  for (const [index, go] of ways.entries()) {
    const answer = await go(begun[index]!);
    assert.equal(answer.status, 404);
    assert.equal(await errorCode(answer), 'BLOB_UPLOAD_UNKNOWN');
  }
});

test('an upload whose last request is under way when the store is reset is unknown, so that its client begins again', async () => {
  const bytes = Buffer.from('under way');
  const location = await open('reset/app');
  const { pathname } = new URL(location, server.url);
  const request = http.request(new URL(`${pathname}?digest=${toBlob(bytes).digest}`, server.url), {
    method: 'PUT',
    headers: {
      ...octets,
      authorization: server.as.admin,
      'content-length': bytes.length,
      expect: '100-continue',
    },
  });
  request.flushHeaders();
  await once(request, 'continue');
  await emptyStore(server.store);
  request.end(bytes);
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
  const { errors } = (await json(answer)) as { errors: { code: string }[] };
  assert.deepEqual([answer.statusCode, errors[0]?.code], [404, 'BLOB_UPLOAD_UNKNOWN']);
});

test('referrers beyond a page come in the order of their digests, each once, over all pages', async () => {
  const subject = toContent({
    schemaVersion: 2,
    mediaType: mediaTypes.ociIndex,
    manifests: [],
    annotations: { of: 'many' },
  });
  const repository = openRepository(server.store, 'many', { owner: { provenance: 'import' } });
  await pushArtifact(repository, { manifest: subject, blobs: [] }, 'subject');
  const pushed: string[] = [];
  for (let i = 0; i < 2100; i += 1) {
    const manifest = toContent({
      schemaVersion: 2,
      mediaType: mediaTypes.ociIndex,
      artifactType: i % 2 === 0 ? 'a/even' : 'a/odd',
      manifests: [],
      subject: subject.descriptor,
      annotations: { i: `${i}` },
    });
    await pushArtifact(repository, { manifest, blobs: [] });
    pushed.push(manifest.descriptor.digest);
  }
  const list = async (first: string) => {
    const pages: string[][] = [];
    for (let path: string | undefined = first; path !== undefined; ) {
      const response: Response = await server.fetch(path);
      const body = await response.text();
      assert.equal(String(Buffer.byteLength(body)), response.headers.get('content-length'));
      pages.push(
        (JSON.parse(body) as { manifests: { digest: string }[] }).manifests.map(({ digest }) => digest),
      );
      path = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    }
    return pages;
  };
  const path = `/v2/many/referrers/${subject.descriptor.digest}`;
  const all = await list(path);
  assert.deepEqual(
    all.map(({ length }) => length),
    [1000, 1000, 100],
  );
  assert.deepEqual(all.flat(), [...pushed].sort());
  const even = await list(`${path}?artifactType=a%2Feven`);
  assert.deepEqual(even.flat(), pushed.filter((_, i) => i % 2 === 0).sort());
  const head = await server.fetch(path, { method: 'HEAD' });
  assert.equal(await head.text(), '');
  assert.ok(Number(head.headers.get('content-length')) > 100_000);
});
