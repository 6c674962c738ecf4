import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { after, before, test } from 'node:test';
import { apiRoutes } from '../../server/api/routes.ts';
import { openRepository } from '../../src/store/open-repository.ts';
import { buildImage, pushArtifact } from '../kit/content/content.ts';
import { toFilesetImage, toLayer } from '../kit/content/fileset-image.ts';
import { pushArtifactOverHttp } from '../kit/content/push-artifact.ts';
import { toArchive } from '../kit/content/tar-archive.ts';
import { startTestServer, type TestServer } from '../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../kit/instance/temp-folder.ts';
import { scriptMedia } from '../kit/scene/media-state.ts';
import { type RawAnswer, requestRaw } from '../kit/web/request-raw.ts';
import { parseStrictHtml } from '../kit/web/strict-html.ts';
import { routeTable, type SurfaceName } from '../structure/route-table.ts';

/** Every method that clients send, one of WebDAV among them. Unknown words are no HTTP. */
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'] as const;

const image = buildImage('methods');
const config = image.blobs[0]!.descriptor.digest;
const manifest = image.manifest.descriptor.digest;
let folder: TempFolder;
let server: TestServer;
let upload = '';
let task = '';

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({
    folder: folder.path,
    media: scriptMedia(() => Promise.reject(new Error('nothing is imported'))),
    filesets: ['closed', 'open', 'absent'].map((name) => ({
      name,
      ref: `localhost/filesets/${name === 'absent' ? 'absent' : 'tree'}`,
      anonymous: name === 'open',
    })),
  });
  const owner = { provenance: 'import' } as const;
  const tree = toFilesetImage([toLayer(toArchive({ file: 'content' }))]);
  await pushArtifact(
    openRepository(server.store, 'localhost/filesets/tree', { owner, kind: 'FileSet' }),
    tree,
    '1.0.0',
  );
  await pushArtifactOverHttp(
    { registry: server.url, repository: 'team/app', authorization: server.as.admin },
    image,
    '1.4.2',
  );
  const opened = await server.fetch('/v2/team/app/blobs/uploads/', { method: 'POST' });
  upload = opened.headers.get('location')!.split('/').at(-1)!;
  task = (await server.tasks.submit({ type: 'sync', reference: 'r', actor: 'a' })).id;
  await server.tasks.settled(task);
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

const registryPaths: Readonly<Record<string, () => string>> = {
  version: () => '/v2/',
  catalog: () => '/v2/_catalog',
  tags: () => '/v2/team/app/tags/list',
  manifest: () => '/v2/team/app/manifests/1.4.2',
  blob: () => `/v2/team/app/blobs/${config}`,
  uploads: () => '/v2/team/app/blobs/uploads/',
  upload: () => `/v2/team/app/blobs/uploads/${upload}`,
  referrers: () => `/v2/team/app/referrers/${manifest}`,
};

function toTarget(surface: SurfaceName, name: string): string {
  if (surface === 'registry') return registryPaths[name]!();
  const path = name
    .replace('{repo}', 'team/app')
    .replace('{tag}', '1.4.2')
    .replace('{id}', task)
    .replace(/\{[a-z]+\}/g, 'nothing');
  return surface === 'api' ? `/api/v1${path}` : path;
}

const send = (target: string, method: string, headers: Readonly<Record<string, string>> = {}) =>
  requestRaw(
    `${server.url}${target}`,
    { authorization: server.as.admin, accept: target.includes('/v2/') ? '*/*' : 'text/html', ...headers },
    method,
  );

/** Each path of a surface with its methods; HEAD wherever GET is. */
function byPath(surface: SurfaceName): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [method, path] of routeTable[surface])
    found.set(path, [...(found.get(path) ?? []), ...(method === 'GET' ? ['GET', 'HEAD'] : [method])]);
  return found;
}

const wrongMethod: Readonly<Record<SurfaceName, RegExp>> = {
  api: /"code":"SVC-SRV-004"/,
  ui: /<html[\s\S]*SVC-SRV-004/,
  registry: /"code":"UNSUPPORTED"/,
  files: /"code":"SVC-SRV-004"/,
  probe: /"code":"SVC-SRV-004"/,
};

/** Headers whose value may differ between two answers to the same request. */
const moving = new Set(['date', 'x-request-id', 'set-cookie', 'content-length', 'etag']);
const steady = ({ headers }: RawAnswer) =>
  Object.entries(headers).filter(([name]) => !moving.has(name) && name !== 'transfer-encoding');

for (const surface of Object.keys(routeTable) as SurfaceName[])
  test(`${surface}: a path answers its methods, HEAD as GET without a body, and names them to every other`, async () => {
    for (const [path, own] of byPath(surface)) {
      const target = toTarget(surface, path);
      for (const method of methods) {
        const name = `${method} ${target}`;
        // requests that would change something are the subject of other tests
        if (own.includes(method) && method !== 'HEAD') continue;
        const answer = await send(target, method);
        const text = answer.body.toString();
        if (own.includes('GET') && method === 'HEAD') {
          const get = await send(target, 'GET');
          assert.deepEqual([answer.status, text], [get.status, ''], name);
          assert.deepEqual(steady(answer), steady(get), name);
          if ((surface === 'registry' || surface === 'files') && get.status === 200)
            assert.equal(Number(answer.headers['content-length']), get.body.length, name);
          continue;
        }
        assert.equal(answer.status, 405, `${name}: ${text}`);
        assert.deepEqual(answer.headers.allow?.split(', ').sort(), [...own].sort(), name);
        if (method === 'HEAD') continue;
        assert.match(text, wrongMethod[surface], name);
        if (surface === 'ui') parseStrictHtml(text, name);
      }
    }
  });

test('a path that is none is unknown to every method', async () => {
  for (const target of [
    '/nothing',
    '/auth/callback',
    '/auth/',
    '/api/v1/nothing',
    '/api/',
    '/v2/nothing',
    '/files/',
    '/healthz/nothing',
  ])
    for (const method of methods) {
      const answer = await send(target, method);
      assert.equal(answer.status, 404, `${method} ${target}: ${answer.body}`);
      assert.equal(answer.headers.allow, undefined, `${method} ${target}`);
    }
});

/** Requests that clients repeat again and again, and their headers. */
const polled = (): Readonly<Record<string, readonly string[]>> => ({
  api: apiRoutes.filter((route) => route.polled).map(({ path }) => toTarget('api', path)),
  registry: [
    '/v2/team/app/manifests/1.4.2',
    `/v2/team/app/manifests/${manifest}`,
    `/v2/team/app/blobs/${config}`,
  ],
  files: ['/files/closed/file', '/files/open/file'],
});

test('what is polled has an entity tag, and is answered 304 until it changes', async () => {
  assert.deepEqual(
    apiRoutes.filter((route) => route.polled).map(({ path }) => path),
    [
      '/status',
      '/tasks',
      '/tasks/{id}',
      '/media',
      '/media/deliveries',
      '/media/verification',
      '/media/proof',
    ],
    'what a client follows by asking again',
  );
  const look = async (target: string): Promise<void> => {
    const first = await send(target, 'GET');
    const { etag = '' } = first.headers;
    assert.deepEqual([first.status, etag === ''], [200, false], target);
    for (const method of ['GET', 'HEAD'])
      for (const named of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await send(target, method, { 'if-none-match': named });
        const name = `${method} ${target} ${named}`;
        assert.deepEqual([again.status, again.body.length, again.headers.etag], [304, 0, etag], name);
      }
    const other = await send(target, 'GET', { 'if-none-match': '"other"', range: 'bytes=0-' });
    assert.ok(other.status === 200 || other.status === 206, target);
    assert.ok(other.body.length > 0, target);
    // the condition comes before the range (RFC 9110, section 13.2.2)
    const ranged = await send(target, 'GET', { 'if-none-match': etag, range: 'bytes=999999-' });
    assert.equal(ranged.status, 304, target);
  };
  for (const target of Object.values(polled()).flat()) {
    const before = (await send(target, 'GET')).headers.etag;
    // writes of others to the volume change the reported free space, in steps of a hundredth
    await look(target).catch(async (error: unknown) => {
      if ((await send(target, 'GET')).headers.etag === before) throw error;
      await look(target);
    });
  }
  assert.match((await send('/api/v1/media', 'GET')).body.toString(), new RegExp(server.store.mediaId));
});

test('a connection is closed after a GET or HEAD that announces a body: the next request could be taken for it', async () => {
  const isKept = async (method: string, headers: Readonly<Record<string, string>>): Promise<boolean> => {
    const asked = request(`${server.url}/v2/`, { method, headers: { connection: 'keep-alive', ...headers } });
    // the body is announced and does not come
    asked.flushHeaders();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    asked.on('error', () => {});
    asked.destroy();
    return answer.headers.connection === 'keep-alive';
  };
  for (const method of ['GET', 'HEAD']) {
    assert.equal(await isKept(method, {}), true, method);
    assert.equal(await isKept(method, { 'content-length': '0' }), true, method);
    assert.equal(await isKept(method, { 'content-length': '45' }), false, method);
    assert.equal(await isKept(method, { 'transfer-encoding': 'chunked' }), false, method);
  }
});
