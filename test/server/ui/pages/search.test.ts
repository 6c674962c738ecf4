import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { recordSync } from '../../../../src/store/record-sync.ts';
import { buildImage, buildIndex, toBlob } from '../../../kit/content/content.ts';
import { pushAsClient } from '../../../kit/content/push-as-client.ts';
import { toRecipeRecord } from '../../../kit/content/recipe-record.ts';
import { startTestServer, type TestServer } from '../../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../../kit/instance/temp-folder.ts';
import { type BrowserSession, openBrowserSession } from '../../../kit/web/browser-session.ts';
import { toPageText } from '../../../kit/web/page-text.ts';
import { parseStrictHtml } from '../../../kit/web/strict-html.ts';

let folder: TempFolder;
let server: TestServer;
let viewer: BrowserSession;
const image = buildIndex('web');
const keyFingerprint = '9c1d'.repeat(16);

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({ folder: folder.path });
  viewer = openBrowserSession(server);
  await server.accounts.create({ name: 'vera', role: 'viewer', password: 'a good password' });
  await viewer.signIn('vera', 'a good password');
  await pushAsClient(server.store, 'registry.example/shop/web', image, '1.0.0');
  await recordSync(server.store, { zone: 'zone', runId: 'run', resolvedAt: '2026-01-01T00:00:00.000Z' }, [
    toRecipeRecord('shop', '1.0.0', [['registry.example/shop/web', '1.0.0']]),
    {
      ...toRecipeRecord('signed', '1.0.0', []),
      digest: `sha256:${'d'.repeat(64)}`,
      documentDigest: `sha256:${'e'.repeat(64)}`,
      keyFingerprint,
    },
  ]);
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

const find = (q: string): Promise<Response> => viewer.get(`/search?q=${encodeURIComponent(q)}`);

async function proseOf(q: string, status = 200): Promise<string> {
  const response = await find(q);
  const text = await response.text();
  assert.equal(response.status, status, text);
  assert.doesNotMatch(text, /<img/);
  parseStrictHtml(text, q);
  const prose = toPageText(text);
  assert.doesNotMatch(prose, /\u202e/);
  return prose;
}

async function leadsTo(q: string): Promise<string | null> {
  const response = await find(q);
  assert.equal(response.status, 303, await response.clone().text());
  return response.headers.get('location');
}

test('a word finds content, recipes and tasks', async () => {
  const started = await server.fetch('/api/v1/import', {
    method: 'POST',
    body: JSON.stringify({
      reference: 'registry.example/shop/tool:1',
      platforms: [{ name: 'linux/amd64', digest: `sha256:${'1'.repeat(64)}` }],
    }),
    headers: { 'content-type': 'application/json' },
  });
  assert.equal(started.status, 201, await started.clone().text());
  const prose = await proseOf(' Shop ');
  assert.match(prose, /Content registry\.example\/shop\/web image Recipes shop 1\.0\.0 Tasks import/);
});

test('an error code, a task and the medium lead straight there', async () => {
  assert.equal(await leadsTo('svc-sig-001'), '/help#SVC-SIG-001');
  assert.equal(await leadsTo('MED-030'), '/help#SVC-MED-030');
  assert.equal(await leadsTo(server.store.mediaId), '/about');
  const [task] = (await server.tasks.list({})).tasks;
  assert.equal(await leadsTo(task!.id), `/tasks/${task!.id}`);
  assert.match(await proseOf('tsk_000000000000'), /Nothing is found/);
});

test('names are found as the pages print them', async () => {
  const stored = 'zone-a.example_5000/shop/api';
  await pushAsClient(server.store, stored, buildImage('api'), '1.4.0');
  const place = `/content/${stored}/-/tags/1.4.0`;
  for (const q of [
    'zone-a.example:5000/shop/api:1.4.0',
    'Zone-A.example:5000/shop/api:1.4.0',
    `${stored}:1.4.0`,
    'shop/api:1.4.0',
    'api:1.4.0',
    `api:1.4.0@sha256:${'a'.repeat(64)}`,
  ])
    assert.equal(await leadsTo(q), place, q);
  assert.match(await proseOf('zone-a.example:5000/shop/api'), /zone-a\.example_5000\/shop\/api/);
  assert.match(await proseOf('zone-a.example:5000'), /zone-a\.example_5000\/shop\/api/);
  assert.match(await proseOf('pi:1.4.0'), /Nothing is found/);
  for (const q of ['shop@1.0.0', 'shop 1.0.0', 'cookbook/shop:1.0.0', 'Shop@1.0.0'])
    assert.match((await leadsTo(q)) ?? '', /^\/recipes\/-\/shop\?version=1\.0\.0/, q);
  assert.match(await proseOf('shop@9.9.9'), /Nothing is found/);
  await pushAsClient(server.store, 'second/api', buildImage('api'), '1.4.0');
  const french = await viewer.get('/search?q=api:1.4.0', { 'accept-language': 'fr' });
  assert.match(toPageText(await french.text()), /Versions de ce nom second\/api:1\.4\.0 zone-a/);
});

test('the fingerprint of a key, or its beginning, finds the recipes that it signed', async () => {
  for (const q of [
    keyFingerprint.slice(0, 7),
    `${keyFingerprint.slice(0, 12)}…`,
    keyFingerprint.toUpperCase(),
  ])
    assert.match((await leadsTo(q)) ?? '', /^\/recipes\/-\/signed\?version=1\.0\.0/, q);
  assert.match(await proseOf(keyFingerprint.slice(0, 6)), /Nothing is found/);
});

test('the correlation identifier of the request that started a task leads to the task', async () => {
  const started = await server.fetch('/api/v1/sync', {
    method: 'POST',
    headers: { 'x-request-id': 'Ticket-4711' },
  });
  assert.equal(started.status, 201);
  const { task } = (await started.json()) as { task: { id: string; requestId: string } };
  assert.equal(task.requestId, started.headers.get('x-request-id'));
  assert.equal(await leadsTo(task.requestId), `/tasks/${task.id}`);
});

test('the correlation identifier of a task leads to the task', async () => {
  const { id, runId } = await server.tasks.submit({ type: 'sync', reference: '/r.yaml', actor: 'alice' });
  assert.equal(await leadsTo(runId), `/tasks/${id}`);
  assert.equal(await leadsTo(runId.toUpperCase()), `/tasks/${id}`);
});

test('a digest leads to its version, else to where it is a part, and several places are listed', async () => {
  const { digest } = image.manifest.descriptor;
  assert.equal(await leadsTo(digest), '/content/registry.example/shop/web/-/tags/1.0.0');
  const child = image.children[0]!.artifact;
  for (const part of [child.manifest.descriptor.digest, child.blobs[0]!.descriptor.digest])
    assert.equal(await leadsTo(part), '/content/registry.example/shop/web');
  await pushAsClient(server.store, 'other/web', image, 'copy');
  assert.match(
    await proseOf(digest),
    /Where this digest is sha256:[0-9a-f]{64} registry\.example\/shop\/web:1\.0\.0 other\/web:copy/,
  );
  assert.match(await proseOf(`sha256:${'0'.repeat(64)}`), /Nothing is found/);
});

test('seven characters of a digest find it, with or without the algorithm, in any case', async () => {
  const short = buildImage('short');
  await pushAsClient(server.store, 'registry.example/shop/short', short, '1');
  const { digest } = short.manifest.descriptor;
  const hex = digest.slice('sha256:'.length);
  const place = '/content/registry.example/shop/short/-/tags/1';
  for (const q of [
    hex.slice(0, 7),
    hex.slice(0, 12).toUpperCase(),
    digest.slice(0, 20),
    `${digest.slice(0, 19)}…`,
  ])
    assert.equal(await leadsTo(q), place, q);
  assert.match(await proseOf(hex.slice(0, 6)), /Nothing is found/);
  assert.match(await proseOf(`sha512:${hex.slice(0, 12)}`), /Nothing is found/);
});

test('the digest of a recipe, or of its document, leads to the recipe', async () => {
  const [recipe] = server.store.index.recipes();
  for (const digest of [recipe!.digest, recipe!.documentDigest])
    for (const q of [digest, digest.slice('sha256:'.length, 17)])
      assert.match((await leadsTo(q)) ?? '', /^\/recipes\/-\/shop\?version=1\.0\.0/, q);
});

test('a beginning that several digests share lists them, and a name that looks like one is found too', async () => {
  // two texts whose digests share seven characters, found by trying
  const layers = [175, 20_380].map((n) => toBlob(`layer ${n}`, 'application/vnd.oci.image.layer.v1.tar'));
  await pushAsClient(server.store, '12ee730/twins', buildImage('twins', { layers }), '1');
  const prose = await proseOf('12ee730');
  assert.match(prose, /Digests that begin like this sha256:12ee730[0-9a-f]{57} .*sha256:12ee730[0-9a-f]{57}/);
  assert.match(prose, /12ee730\/twins part of a version/);
  const french = await viewer.get('/search?q=12ee730', { 'accept-language': 'fr' });
  assert.match(toPageText(await french.text()), /Empreintes qui commencent ainsi/);
});

test('an empty search explains itself, and what is typed stays text', async () => {
  assert.match(await proseOf(''), /lead straight there/);
  assert.match(await proseOf('<img src=x>\u202e'), /Nothing is found for <img src=x>\\u202e/);
  assert.equal((await find('x'.repeat(300))).status, 422);
});

test('no page repeats a control character of its address', async () => {
  const q = encodeURIComponent('a\u0000\u001b[2J\u0085');
  const paths = ['/search', '/content', '/recipes', '/tasks'].map((path) => `${path}?q=${q}`);
  for (const path of [...paths, `/clients/k3s?registry=${q}`]) {
    const text = await (await viewer.get(path)).text();
    assert.match(text, /a\ufffd\ufffd\[2J\ufffd/, path);
    assert.doesNotMatch(text, /[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u009f]/, path);
  }
});
