import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import { deleteTag } from '../../../src/store/delete-content.ts';
import { openRepository } from '../../../src/store/open-repository.ts';
import { type Artifact, pushArtifact, seededBytes } from '../../kit/content/content.ts';
import { toFilesetImage, toLayer } from '../../kit/content/fileset-image.ts';
import { toArchive } from '../../kit/content/tar-archive.ts';
import { startTestServer, type TestServer } from '../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';

const large = seededBytes('large', 3_000_000);
const packages = toFilesetImage([
  toLayer(
    toArchive({
      'pool/hello_1.0%3a2_amd64.deb': 'a package',
      'pool/a b+c~d.deb': 'odd name',
      'pool/größe': 'bytes of a name',
      large: large,
      empty: '',
      current: ['pool'],
      'index.html': '<script>alert(1)</script>',
      'pool/back\\slash': 'never',
    }),
  ),
]);
let folder: TempFolder;
let server: TestServer;

const put = (repository: string, tag: string, artifact: Artifact) =>
  pushArtifact(
    openRepository(server.store, repository, { owner: { provenance: 'import' }, kind: 'FileSet' }),
    artifact,
    tag,
  );

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({
    folder: folder.path,
    filesets: [
      { name: 'debian', ref: 'localhost/filesets/debian', anonymous: false },
      { name: 'open', ref: 'localhost/filesets/debian', version: '1.0.0', anonymous: true },
      { name: 'absent', ref: 'localhost/filesets/absent', anonymous: false },
      { name: 'moving', ref: 'localhost/filesets/moving', anonymous: false },
      { name: 'pinned', ref: 'localhost/filesets/moving', version: 'stable', anonymous: false },
    ],
  });
  await put('localhost/filesets/debian', '1.0.0', packages);
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | undefined>;
  readonly body: Buffer;
  readonly reason: string;
}

/** A request whose path arrives as it is written. */
function ask(
  path: string,
  headers: Record<string, string> = { authorization: server.as.viewer },
  method = 'GET',
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    request({ hostname, port, path, method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () =>
        resolve({
          status: answer.statusCode!,
          reason: answer.statusMessage!,
          headers: answer.headers as Record<string, string>,
          body: Buffer.concat(chunks),
        }),
      );
      answer.on('error', reject);
    })
      .on('error', reject)
      .end();
  });
}

const viewer = () => ({ authorization: server.as.viewer });
const codeOf = ({ body }: Answer): string => JSON.parse(body.toString()).code;

test('a file is served with its length and what clients need to keep it', async () => {
  const { status, headers, body } = await ask('/files/debian/large');
  assert.equal(status, 200);
  assert.ok(body.equals(large));
  assert.equal(headers['content-length'], '3000000');
  assert.equal(headers.etag, `"${hashBytes(large)}"`);
  assert.equal(headers['last-modified'], 'Thu, 01 Jan 1970 00:00:00 GMT');
  assert.equal(headers['accept-ranges'], 'bytes');
  assert.equal(headers['content-security-policy'], 'sandbox');
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['content-type'], 'application/octet-stream');
  assert.equal(headers['cache-control'], 'private, no-cache');
  assert.equal((await ask('/files/debian/empty')).body.length, 0);
  assert.equal((await ask('/files/debian/index.html')).headers['content-type'], 'application/octet-stream');
});

test('a folder of an open file set is not found, as a missing file is, and no password is asked for', async () => {
  for (const path of ['', '/', '/none', '/none/', '/a//b', '/%2e%2e/x', '/.']) {
    const answer = await ask(`/files/open${path}`, {});
    assert.deepEqual([answer.status, codeOf(answer)], [404, 'SVC-SRV-002'], path);
    assert.equal((await ask(`/files/debian${path}`, {})).status, 401, path);
  }
});

test('what is not found is named: a file, a folder, a file set; and nobody learns names without a credential', async () => {
  const ofPath = async (path: string, headers?: Record<string, string>) => {
    const { status, reason, body } = await ask(path, headers);
    const { params, probable_cause: cause, action } = JSON.parse(body.toString());
    return { status, reason, lacks: params.lacks, cause, action };
  };
  for (const [path, lacks, cause] of [
    ['/files/open/', 'folder', /^This is the address of a folder of open, and folders are not listed\.$/],
    ['/files/open/pool/.', 'folder', /folder of open/],
    ['/files/open', 'folder', /folder of open/],
    ['/files/open/none', 'file', /^open has no such file\. Folders are not listed\.$/],
    ['/files/open/a//b', 'file', /^open has no such file\./],
  ] as const) {
    const found = await ofPath(path, {});
    assert.deepEqual([found.status, found.lacks], [404, lacks], path);
    assert.match(found.cause, cause);
    assert.match(found.action, /dists\/SUITE\/Release/);
  }
  const absent = await ofPath('/files/debain/none');
  assert.deepEqual([absent.status, absent.lacks], [404, 'fileset']);
  assert.match(absent.action, /GET \/api\/v1\/filesets/);
  const { cause, ...closed } = await ofPath('/files/debian/empty', {});
  assert.equal(closed.reason, 'Unauthorized, or no such FileSet');
  assert.match(cause, /^debian is no FileSet that is readable without a credential, or its name is mistyped/);
  assert.match(closed.action, /auth\.conf\.d/);
  const misspelt = await ofPath('/files/debain/empty', {});
  const swap = (text: string) => text.replaceAll('debain', 'debian');
  assert.deepEqual(
    { ...misspelt, cause: swap(misspelt.cause), action: swap(misspelt.action) },
    { cause, ...closed },
  );
  const wrong = await ofPath('/files/debian/empty', { authorization: 'Basic eDp5' });
  assert.deepEqual([wrong.status, wrong.reason], [401, 'Unauthorized']);
});

test('HEAD answers as GET, without the bytes', async () => {
  const { status, headers, body } = await ask('/files/debian/large', viewer(), 'HEAD');
  assert.equal(status, 200);
  assert.equal(headers['content-length'], '3000000');
  assert.equal(headers.etag, `"${hashBytes(large)}"`);
  assert.equal(body.length, 0);
});

test('paths are decoded exactly once', async () => {
  const text = async (path: string) => (await ask(path)).body.toString();
  assert.equal(await text('/files/debian/pool/hello_1.0%253a2_amd64.deb'), 'a package');
  assert.equal((await ask('/files/debian/pool/hello_1.0%3a2_amd64.deb')).status, 404);
  assert.equal(await text('/files/debian/pool/a%20b%2Bc%7Ed.deb'), 'odd name');
  assert.equal(await text('/files/debian/pool/a%20b+c~d.deb'), 'odd name');
  assert.equal(await text('/files/debian/pool/gr%C3%B6%c3%9fe'), 'bytes of a name');
  assert.equal(await text('/files/debian/p%6fol/gr%C3%B6%C3%9Fe'), 'bytes of a name');
  assert.equal(await text('/files/debian/current/a%20b+c~d.deb'), 'odd name');
  assert.equal(await text('/files/debian/./pool/./a%20b+c~d.deb'), 'odd name');
  assert.equal(await text('/files/debian/empty?query=is-nothing'), '');
});

for (const path of [
  '/files',
  '/files/',
  '/files/debian',
  '/files/debian/',
  '/files/debian/.',
  '/files/debian/pool',
  '/files/debian/pool/',
  '/files/debian/current',
  '/files/debian/empty/',
  '/files/debian/empty/.',
  '/files/debian/nothing',
  '/files/debian//empty',
  '/files//debian/empty',
  '/files/./debian/empty',
  '/files/%64ebian/empty',
  '/files/debian%2fempty',
  '/files/debian/pool%2fa%20b+c~d.deb',
  '/files/debian/pool%2Fa%20b+c~d.deb',
  '/files/debian/pool%252fa%20b+c~d.deb',
  '/files/debian/pool/../empty',
  '/files/debian/pool/..%2fempty',
  '/files/debian/pool/%2e%2e/empty',
  '/files/debian/pool/.%2e/empty',
  '/files/debian/%2e/empty',
  '/files/debian/../debian/empty',
  '/files/../files/debian/empty',
  '/files/debian/..%5cempty',
  '/files/debian/pool/back\\slash',
  '/files/debian/pool/back%5cslash',
  '/files/debian/empty%00',
  '/files/debian/%00/empty',
  '/files/debian/empty%',
  '/files/debian/empty%4',
  '/files/debian/empty%zz',
  '/files/debian/etc/passwd',
  '/files/debian//etc/passwd',
  `/files/debian/${'deep/'.repeat(70)}file`,
]) {
  test(`no file is found at ${path.slice(0, 60)}`, async () => {
    const answer = await ask(path);
    assert.equal(answer.status, 404);
    assert.equal(codeOf(answer), 'SVC-SRV-002');
  });
}

test('a repeated request costs nothing when the client has the file', async () => {
  const etag = `"${hashBytes('odd name')}"`;
  const path = '/files/debian/pool/a%20b+c~d.deb';
  for (const given of [etag, `"other", ${etag}`, `W/${etag}`, '*']) {
    const { status, headers, body } = await ask(path, { ...viewer(), 'if-none-match': given });
    assert.equal(status, 304, given);
    assert.equal(headers.etag, etag);
    assert.equal(body.length, 0);
  }
  assert.equal((await ask(path, { ...viewer(), 'if-none-match': '"other"' })).status, 200);
  // every file is of the epoch: a date never says that nothing has changed
  const since = 'Thu, 01 Jan 1970 00:00:00 GMT';
  assert.equal((await ask(path, { ...viewer(), 'if-modified-since': since })).status, 200);
  assert.equal((await ask(path, { ...viewer(), 'if-match': '"other"' })).status, 412);
  assert.equal((await ask(path, { ...viewer(), 'if-match': etag })).status, 200);
});

test('one range is answered with it, and only while the file is the same', async () => {
  const get = (headers: Record<string, string>) => ask('/files/debian/large', { ...viewer(), ...headers });
  const part = await get({ range: 'bytes=1000000-1999999' });
  assert.equal(part.status, 206);
  assert.equal(part.headers['content-range'], 'bytes 1000000-1999999/3000000');
  assert.ok(part.body.equals(large.subarray(1_000_000, 2_000_000)));
  const tail = await get({ range: 'bytes=-10', 'if-range': `"${hashBytes(large)}"` });
  assert.equal(tail.status, 206);
  assert.ok(tail.body.equals(large.subarray(-10)));
  for (const guard of ['"other"', 'Thu, 01 Jan 1970 00:00:00 GMT', `W/"${hashBytes(large)}"`]) {
    const whole = await get({ range: 'bytes=-10', 'if-range': guard });
    assert.equal(whole.status, 200, guard);
    assert.equal(whole.body.length, large.length);
  }
  const outside = await get({ range: 'bytes=3000000-' });
  assert.equal(outside.status, 416);
  assert.equal(outside.headers['content-range'], 'bytes */3000000');
  const { 'cache-control': cached, etag } = outside.headers;
  assert.deepEqual([cached, etag], ['no-store', undefined]);
  assert.equal((await get({ range: 'lines=1-2' })).status, 200);
});

test('several ranges are answered in parts', async () => {
  const { status, headers, body } = await ask('/files/debian/large', {
    ...viewer(),
    range: 'bytes=0-9, 100-199,,5000000-,-5',
  });
  assert.equal(status, 206);
  assert.equal(headers['content-length'], String(body.length));
  const boundary = /^multipart\/byteranges; boundary=(\w+)$/.exec(headers['content-type']!)![1]!;
  const parts = body.toString('latin1').split(`\r\n--${boundary}`);
  assert.equal(parts.length, 5);
  assert.equal(parts[0], '');
  assert.equal(parts[4], '--\r\n');
  const expected = [
    ['0-9', large.subarray(0, 10)],
    ['100-199', large.subarray(100, 200)],
    ['2999995-2999999', large.subarray(-5)],
  ] as const;
  for (const [i, [range, bytes]] of expected.entries()) {
    const [head, content] = parts[i + 1]!.split('\r\n\r\n', 1).concat(
      parts[i + 1]!.slice(parts[i + 1]!.indexOf('\r\n\r\n') + 4),
    );
    assert.ok(head!.includes(`content-range: bytes ${range}/3000000`), head);
    assert.ok(Buffer.from(content!, 'latin1').equals(bytes));
  }
  const single = await ask('/files/debian/large', { ...viewer(), range: 'bytes=0-0,9999999-' });
  assert.equal(single.headers['content-range'], 'bytes 0-0/3000000');
  const overlapping = await ask('/files/debian/large', { ...viewer(), range: 'bytes=0-9,5-20' });
  assert.equal(overlapping.status, 200);
  const many = `bytes=${Array.from({ length: 1025 }, (_, i) => `${i * 2}-${i * 2}`).join()}`;
  assert.equal((await ask('/files/debian/large', { ...viewer(), range: many })).status, 200);
});

test('only GET and HEAD are answered', async () => {
  for (const method of ['PUT', 'POST', 'DELETE', 'OPTIONS', 'PROPFIND']) {
    const answer = await ask('/files/debian/empty', viewer(), method);
    assert.equal(answer.status, 405, method);
    assert.equal(answer.headers.allow, 'GET, HEAD');
  }
});

test('a viewer reads by Basic or Bearer; a session is no credential here', async () => {
  const basic = `Basic ${Buffer.from(`anything:${server.as.viewer.slice(7)}`).toString('base64')}`;
  assert.equal((await ask('/files/debian/empty', { authorization: basic })).status, 200);
  for (const headers of [
    {},
    { cookie: 'svc_session=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' },
    { authorization: 'Bearer svc_wrong' },
  ] as Record<string, string>[]) {
    for (const path of ['debian/empty', 'debian/nothing', 'unknown/empty', '../x', 'debian/%2e%2e/x', '']) {
      const answer = await ask(`/files/${path}`, headers);
      assert.equal(answer.status, 401, path);
      assert.equal(codeOf(answer), 'SVC-AUTH-002');
      assert.equal(answer.headers['www-authenticate'], 'Basic realm="svc", charset="UTF-8"');
    }
  }
});

test('an anonymous FileSet is read without a credential, and with a wrong one', async () => {
  for (const headers of [{}, { authorization: 'Basic d3Jvbmc6d3Jvbmc=' }] as Record<string, string>[]) {
    const answer = await ask('/files/open/pool/a%20b+c~d.deb', headers);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers['cache-control'], 'no-cache');
  }
  assert.equal((await ask('/files/open/nothing', {})).status, 404);
});

test('a configured FileSet that is not in the store is not found', async () => {
  const answer = await ask('/files/absent/any');
  assert.equal(answer.status, 404);
  assert.equal(codeOf(answer), 'SVC-REG-005');
});

test('the highest semantic version is served, unless a tag is pinned', async () => {
  const version = (text: string) => toFilesetImage([toLayer(toArchive({ version: text }))]);
  const served = async (name: string) => (await ask(`/files/${name}/version`)).body.toString();
  const repository = 'localhost/filesets/moving';
  await put(repository, 'latest', version('latest'));
  assert.equal(codeOf(await ask('/files/moving/version')), 'SVC-REG-006');
  assert.equal(codeOf(await ask('/files/pinned/version')), 'SVC-REG-005');
  await put(repository, '1.9.0', version('1.9.0'));
  assert.equal(await served('moving'), '1.9.0');
  await put(repository, 'v1.10.0', version('v1.10.0'));
  assert.equal(await served('moving'), 'v1.10.0');
  await put(repository, '1.10.0', version('1.10.0'));
  assert.equal(await served('moving'), '1.10.0');
  await put(repository, '2.0.0-rc.1', version('2.0.0-rc.1'));
  assert.equal(await served('moving'), '2.0.0-rc.1');
  await put(repository, 'stable', version('stable'));
  assert.equal(await served('pinned'), 'stable');
  await deleteTag(server.store, repository, '2.0.0-rc.1');
  assert.equal(await served('moving'), '1.10.0');
  await put(repository, '1.10.0', version('1.10.0 again'));
  assert.equal(await served('moving'), '1.10.0 again');
});
