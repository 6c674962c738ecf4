import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { toPath } from '../../../server/ui/to-href.ts';
import type { GateRefusal } from '../../../src/base/gate-refusal.ts';
import type { FilesetFiles } from '../../../src/contract/fileset.ts';
import { seededBytes } from '../../kit/content/content.ts';
import { toFilesetImage, toLayer } from '../../kit/content/fileset-image.ts';
import { putFileset } from '../../kit/content/put-fileset.ts';
import { toArchive, toRawArchive } from '../../kit/content/tar-archive.ts';
import { eventually } from '../../kit/instance/eventually.ts';
import { createOpenGate } from '../../kit/instance/open-gate.ts';
import { startTestServer, type TestServer } from '../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';
import { type BrowserSession, openBrowserSession, signInAs } from '../../kit/web/browser-session.ts';
import { requestRaw } from '../../kit/web/request-raw.ts';
import { parseStrictHtml } from '../../kit/web/strict-html.ts';

const large = seededBytes('large', 200_000);
const page = '<!doctype html><script>document.title = "run"</script>';
/** Names that a browser could run, show wrongly or split a header at. */
const hostileNames = [
  'page.html',
  'picture.svg',
  'script.js',
  'cut\r\nset-cookie: svc_session=x',
  'quote".html',
  'semicolon;filename=x.exe',
  "apostrophe'",
  'invoice\u202egpj.exe',
  'mark\u2066er',
  'größe 名前 اسم',
  'percent%2e%2e%41',
  '<img src=x onerror=alert(1)>',
  `${'n'.repeat(250)}.html`,
  'пакет'.repeat(25),
];

let folder: TempFolder;
let server: TestServer;
let viewer: BrowserSession;
let refusal: GateRefusal | undefined;
let withdrawn: string | undefined;

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({
    folder: folder.path,
    filesets: [{ name: 'debian', ref: 'localhost/filesets/debian', anonymous: false }],
    gate: () => ({
      ...createOpenGate({ rehash: false }),
      refusal: () => refusal,
      allowsRepository: (name) => name !== withdrawn,
      allowsTag: (name) => name !== withdrawn,
    }),
  });
  await putFileset(
    server.store,
    'debian',
    toFilesetImage([
      toLayer(
        toArchive({
          'dists/stable/InRelease': 'signed',
          'dists/stable/main/binary-amd64/Packages': '',
          'pool/hello_1.0_amd64.deb': 'a package',
          'pool/large': large,
          stable: ['dists/stable'],
        }),
        'gzip',
      ),
    ]),
  );
  await putFileset(
    server.store,
    'hostile',
    toFilesetImage([
      toLayer(toArchive(Object.fromEntries(hostileNames.map((name) => [name, page])))),
      toLayer(
        toRawArchive([
          { path: '\xff\xfe', content: page },
          { path: 'back\\slash', content: page },
        ]),
      ),
    ]),
  );
  await putFileset(
    server.store,
    'routes',
    toFilesetImage([
      toLayer(toArchive({ 'x/-/tags/1.0.0': 'a', 'x/-/delete': 'b', 'x/-/tags/y/files': 'c' })),
    ]),
  );
  const many = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, i) => [`p${String(i).padStart(5, '0')}_1.0_amd64.deb`, String(i)]),
  );
  await putFileset(server.store, 'many', toFilesetImage([toLayer(toArchive(many))]));
  viewer = await signInAs(server, 'viewer', 'vera');
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

const at = (name: string, tag = '1.0.0') => `/content/localhost/filesets/${name}/-/tags/${tag}/files`;
const asViewer = () => ({ headers: { authorization: server.as.viewer } });

async function list(name: string, query: Readonly<Record<string, string>> = {}): Promise<FilesetFiles> {
  const response = await server.fetch(`/api/v1${toPath(at(name), {}, query)}`, asViewer());
  assert.equal(response.status, 200, await response.clone().text());
  return (await response.json()) as FilesetFiles;
}

const codeOf = async (response: Response): Promise<string> =>
  ((await response.json()) as { readonly code: string }).code;

test('the API lists a folder with names, sizes and digests, follows its links, and finds names below it', async () => {
  const { entries, total, folder: root } = await list('debian');
  assert.deepEqual(
    [total, root, entries.map(({ name, kind }) => `${kind} ${name}`)],
    [3, '', ['folder dists', 'folder pool', 'link stable']],
  );
  const pool = await list('debian', { folder: 'pool' });
  assert.deepEqual(
    pool.entries.map(({ path, sizeBytes }) => [path, sizeBytes]),
    [
      ['pool/hello_1.0_amd64.deb', 9],
      ['pool/large', 200_000],
    ],
  );
  assert.equal((await list('debian', { folder: 'stable' })).folder, 'dists/stable');
  const found = await list('debian', { q: 'ELL' });
  assert.deepEqual(
    found.entries.map(({ path }) => path),
    ['pool/hello_1.0_amd64.deb'],
  );
  assert.equal((await list('debian', { q: 'hello', folder: 'dists' })).total, 0);
  const second = await list('many', { pageSize: '50', page: '2' });
  assert.deepEqual(
    [second.total, second.totalPages, second.entries[0]?.name],
    [10_000, 200, 'p00050_1.0_amd64.deb'],
  );
  const late = await list('many', { q: '9_1.0', pageSize: '200', page: '5' });
  assert.deepEqual(
    [late.total, late.entries.length, late.entries.at(-1)?.name],
    [1000, 200, 'p09999_1.0_amd64.deb'],
  );
});

test('what is not there is named: a folder, a file, a version; and content that is no file set has no files', async () => {
  const ask = (path: string) => server.fetch(`/api/v1${path}`, asViewer());
  for (const [path, code] of [
    [`${at('debian')}?folder=none`, 'SVC-SRV-002'],
    [`${at('debian')}?folder=pool%2Flarge`, 'SVC-SRV-002'],
    [`${at('debian')}?folder=..`, 'SVC-VAL-001'],
    [`${at('debian')}?folder=a%2F%2Fb`, 'SVC-VAL-001'],
    [`${at('debian')}/none`, 'SVC-SRV-002'],
    [`${at('debian')}/pool`, 'SVC-SRV-002'],
    [at('debian', '9.9.9'), 'SVC-REG-005'],
    [`${at('absent')}/x`, 'SVC-REG-005'],
  ] as const)
    assert.equal(await codeOf(await ask(path)), code, path);
});

test('a file is saved with the session or a token, whole and in ranges, and is never shown', async () => {
  for (const path of [`${at('debian')}/pool/large`, `/api/v1${at('debian')}/pool/large`]) {
    const whole = await viewer.get(path);
    assert.equal(whole.status, 200, path);
    assert.ok(Buffer.from(await whole.arrayBuffer()).equals(large));
    const { headers } = whole;
    assert.equal(headers.get('content-type'), 'application/octet-stream');
    assert.equal(headers.get('content-disposition'), `attachment; filename="large"; filename*=UTF-8''large`);
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*sandbox/);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin');
    const part = await viewer.get(path, { range: 'bytes=100-299', 'if-range': headers.get('etag')! });
    assert.deepEqual([part.status, part.headers.get('content-range')], [206, 'bytes 100-299/200000']);
    assert.ok(Buffer.from(await part.arrayBuffer()).equals(large.subarray(100, 300)));
    assert.equal((await viewer.get(path, { range: 'bytes=200000-' })).status, 416);
    assert.equal((await viewer.get(path, { 'if-none-match': headers.get('etag')! })).status, 304);
  }
  const head = await server.fetch(`/api/v1${at('debian')}/pool/large`, { ...asViewer(), method: 'HEAD' });
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, '200000']);
});

test('every hostile name is listed, and its file saved under a name without a trick, in no page of the session', async () => {
  const { entries } = await list('hostile');
  assert.equal(entries.length, hostileNames.length + 2);
  assert.deepEqual(
    new Set(entries.map(({ name }) => name)),
    new Set([...hostileNames, '\ufffd\ufffd', 'back\\slash']),
  );
  for (const { name, path } of entries) {
    const response = await viewer.get(`${at('hostile')}/${path}`);
    if (name === 'back\\slash') {
      assert.equal(response.status, 404, name);
      continue;
    }
    assert.equal(response.status, 200, name);
    assert.equal(await response.text(), page);
    const { headers } = response;
    assert.equal(headers.get('content-type'), 'application/octet-stream', name);
    assert.equal(headers.get('set-cookie'), null, name);
    assert.match(headers.get('content-security-policy') ?? '', /sandbox$/, name);
    const saved = headers.get('content-disposition') ?? '';
    const [, plain, encoded] =
      /^attachment; filename="([ -~]*)"; filename\*=UTF-8''([A-Za-z0-9%!~._#$&+^`|-]+)$/.exec(saved) ?? [];
    assert.ok(plain !== undefined && !plain.includes('"'), `${name}: ${saved}`);
    assert.doesNotMatch(decodeURIComponent(encoded!), /[\p{C}\p{Zl}\p{Zp}"\\/]/u, name);
  }
  const answer = await viewer.get(at('hostile'));
  const { elements } = parseStrictHtml(await answer.text(), 'hostile names');
  assert.equal(elements.filter(({ name }) => name === 'img').length, 0);
  const links = elements
    .flatMap((each) => each.attributes.get('href') ?? [])
    .filter((href) => href.startsWith(`${at('hostile')}/`));
  assert.equal(links.length, hostileNames.length + 1, 'all but the backslash have a link');
  for (const href of links) assert.equal((await viewer.get(href)).status, 200, href);
});

test('a path that looks like that of another page is a file', async () => {
  for (const [path, content] of [
    ['x/-/tags/1.0.0', 'a'],
    ['x/-/delete', 'b'],
    ['x/-/tags/y/files', 'c'],
  ] as const)
    for (const base of ['', '/api/v1']) {
      const response = await viewer.get(`${base}${at('routes')}/${path}`);
      assert.deepEqual([response.status, await response.text()], [200, content], `${base} ${path}`);
    }
});

test('nobody without a sign-in, no other site and no closed gate gets a list or a file', async () => {
  const paths = [at('debian'), `${at('debian')}/pool/large`];
  const nobody = openBrowserSession(server);
  for (const path of paths) {
    const away = await nobody.get(path);
    assert.equal(away.status, 303, path);
    assert.match(away.headers.get('location') ?? '', /^\/login\?next=/, path);
    const bare = await nobody.get(`/api/v1${path}`);
    assert.equal(bare.status, 401, path);
    for (const [site, mode, dest] of [
      ['cross-site', 'no-cors', 'image'],
      ['same-site', 'cors', 'empty'],
    ] as const) {
      const foreign = await viewer.get(path, {
        'sec-fetch-site': site,
        'sec-fetch-mode': mode,
        'sec-fetch-dest': dest,
      });
      assert.equal(foreign.status, 403, path);
    }
  }
  const followed = {
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
  };
  const cookie = `svc_session=${viewer.cookies.get('svc_session')}`;
  const follow = async (path: string) =>
    (await requestRaw(`${server.url}${path}`, { cookie, accept: 'text/html', ...followed })).status;
  assert.equal(await follow(paths[0]!), 200, 'a link may lead to the page');
  assert.equal(await follow(paths[1]!), 403, 'a link elsewhere saves no file');
  const mediaId = 'med_0123456789abcdef';
  for (const code of ['SVC-MED-030', 'SVC-MED-032'] as const) {
    refusal = { code, mediaId };
    for (const path of paths) {
      assert.equal(await codeOf(await server.fetch(`/api/v1${path}`, asViewer())), code, path);
      assert.match(await (await viewer.get(path)).text(), new RegExp(code), path);
    }
  }
  refusal = undefined;
  withdrawn = 'localhost/filesets/debian';
  for (const path of paths)
    assert.equal(await codeOf(await server.fetch(`/api/v1${path}`, asViewer())), 'SVC-MED-032', path);
  withdrawn = undefined;
  assert.equal((await viewer.get(paths[1]!)).status, 200);
});

test('a served package repository shows the lines for apt; the card leads to the files', async () => {
  const text = await (await viewer.get(at('debian'))).text();
  assert.match(text, /sources\.list\.d\/svc-debian\.sources/);
  assert.match(text, /Suites: stable/);
  assert.doesNotMatch(await (await viewer.get(at('many'))).text(), /sources\.list/);
  const cards = await (await viewer.get('/filesets')).text();
  for (const name of ['debian', 'hostile']) assert.ok(cards.includes(`href="${at(name)}"`), name);
  assert.ok(
    (await (await viewer.get(at('debian').replace(/\/files$/, ''))).text()).includes(
      `href="${at('debian')}"`,
    ),
  );
});

test('a folder of ten thousand files is a page of 200 rows, small when it is compressed, with a way to the last', async () => {
  const response = await viewer.get(at('many'), { 'accept-language': 'fr' });
  const text = await response.text();
  assert.equal(text.match(/_amd64\.deb<\/bdi>/g)?.length, 200);
  assert.ok(gzipSync(text).length <= 60 << 10, `${gzipSync(text).length}`);
  assert.ok(text.includes('page=50'), 'the last page');
  const last = await (await viewer.get(`${at('many')}?page=50`)).text();
  assert.match(last, /p09999_1\.0_amd64\.deb/);
  assert.match(await (await viewer.get(`${at('many')}?q=p00042`)).text(), /p00042_1\.0_amd64\.deb/);
  const cookie = `svc_session=${viewer.cookies.get('svc_session')}`;
  const times: number[] = [];
  for (let i = 0; i < 60; i += 1) {
    const start = process.cpuUsage();
    await requestRaw(`${server.url}${at('many')}?page=25`, {
      cookie,
      accept: 'text/html',
      'accept-encoding': 'gzip',
    });
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1000);
  }
  // other processes of the machine make some slower
  assert.ok(Math.min(...times) <= 20, `${Math.min(...times)} ms`);
});

test('the indexes of a few versions are kept for those who look; an older one is read again', async () => {
  const names = Array.from({ length: 6 }, (_, i) => `looked-${i}`);
  for (const name of names) {
    await putFileset(server.store, name, toFilesetImage([toLayer(toArchive({ [name]: name }), 'gzip')]));
    assert.deepEqual(
      (await list(name)).entries.map((entry) => entry.name),
      [name],
    );
  }
  const kept = async () => {
    const files = await readdir(join(folder.path, 'state', 'files'));
    return {
      trees: files.filter((file) => file.startsWith('tree-')).length,
      layers: files.filter((file) => file.startsWith('layer-')).length,
    };
  };
  await eventually('four indexes', async () => (await kept()).trees <= 4 && (await kept()).layers <= 4);
  assert.equal(await (await viewer.get(`${at('looked-0')}/looked-0`)).text(), 'looked-0');
});
