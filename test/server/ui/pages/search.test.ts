import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readVouchers } from '../../../../server/views/find/find-voucher.ts';
import { toRecipeArtifact } from '../../../../src/recipe/artifact.ts';
import { parseRecipe } from '../../../../src/recipe/document.ts';
import { recordSync } from '../../../../src/store/record-sync.ts';
import { buildImage, buildIndex, toBlob } from '../../../kit/content/content.ts';
import { pushAsClient } from '../../../kit/content/push-as-client.ts';
import { toRecipeRecord } from '../../../kit/content/recipe-record.ts';
import { createOpenGate } from '../../../kit/instance/open-gate.ts';
import { startTestServer, type TestServer } from '../../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../../kit/instance/temp-folder.ts';
import { type BrowserSession, openBrowserSession, signInAs } from '../../../kit/web/browser-session.ts';
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
  const own = toRecipeRecord('own', '1.0.0', []);
  const document = Buffer.from(
    JSON.stringify({
      apiVersion: 'recipe.tobby.dev/v1alpha1',
      kind: 'Recipe',
      metadata: { name: 'own', version: '1.0.0' },
      spec: {
        ingredients: [
          {
            name: 'web',
            kind: 'ContainerImage',
            ref: 'registry.example/shop/web',
            version: '1.0.0',
            digest: image.manifest.descriptor.digest,
          },
        ],
      },
    }),
  );
  const parsed = parseRecipe(document, 'own.yaml');
  const artifact = toRecipeArtifact(document, parsed, '2026-01-01T00:00:00Z');
  await pushAsClient(server.store, own.repository, { ...artifact, children: [] }, '1.0.0');
  await recordSync(server.store, { zone: 'zone', runId: 'run', resolvedAt: '2026-01-01T00:00:00.000Z' }, [
    toRecipeRecord('shop', '1.0.0', [['registry.example/shop/web', '1.0.0']]),
    {
      ...toRecipeRecord('signed', '1.0.0', []),
      digest: `sha256:${'d'.repeat(64)}`,
      documentDigest: `sha256:${'e'.repeat(64)}`,
      keyFingerprint,
    },
    { ...own, digest: artifact.manifest.descriptor.digest, documentDigest: `sha256:${'f'.repeat(64)}` },
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
  assert.match(
    prose,
    /Exact match 1 shop 1\.0\.0 recipe verified 1 version · landed 1 Jan 2026, 00:00:00 UTC Content 1 registry\.example\/shop\/web 1\.0\.0 image not signed 1 version · landed 1 Jan 2026, 00:00:00 UTC Tasks 1 import registry\.example\/shop\/tool:1 tsk_[0-9a-f]+ \S+ by /,
  );
});

test('a row marks where it has the text, and says by which identifier a task is found', async () => {
  const page = async (q: string): Promise<string> => (await find(q)).text();
  const found = await page('SHOP');
  assert.match(found, /registry\.example\/<mark>shop<\/mark>\/web/);
  assert.match(found, /registry\.example\/<mark>shop<\/mark>\/tool:1/);
  const [task] = (await server.tasks.list({})).tasks;
  const part = task!.runId.slice(0, 9);
  assert.match(await page(part), new RegExp(`<mark>${part}</mark>`));
  const own = await page(task!.id.slice(4));
  assert.match(own, new RegExp(`tsk_<mark>${task!.id.slice(4)}</mark>`));
  assert.doesNotMatch(own, new RegExp(task!.runId));
});

test('the name that is the text leads the list, before names that contain it', async () => {
  for (const name of ['a/exact-more', 'exact', 'z/exact'])
    await pushAsClient(server.store, name, buildImage(name), '1');
  assert.match(await proseOf('exact'), /Exact match 1 exact 1 image .* Content 2 a\/exact-more .* z\/exact/);
});

test('a search that finds nothing says what it searched, and proposes a similar name', async () => {
  const prose = await proseOf('shp');
  assert.match(prose, /Nothing is found for shp\. The most similar name here: shop Searched: the names of/);
  assert.match(await (await find('shp')).text(), /href="\/search\?q=shop"/);
  const french = await viewer.get('/search?q=shp', { 'accept-language': 'fr' });
  assert.match(toPageText(await french.text()), /Le nom le plus proche ici\s: shop Recherché/);
});

test('the beginning of codes, words without their accents, and words that nothing has together help on', async () => {
  assert.match(await proseOf('SVC-SIG'), /Help [0-9]+ ?SVC-SIG-001/);
  assert.match(await proseOf('web zone-q'), /Nothing has all of the words\. Each alone: web zone-q/);
  const session = await signInAs(server, 'admin', 'ada');
  await server.accounts.tokens.create({ name: 'pipeline', role: 'viewer' });
  const asAdmin = async (q: string): Promise<string> =>
    toPageText(await (await session.get(`/search?q=${encodeURIComponent(q)}`)).text());
  assert.match(await asAdmin('token pipeline'), /Accounts and tokens 1 pipeline token viewer/);
  assert.match(await asAdmin('RESEAU'), /Pages 1 Network/);
});

test('a recipe has the same verdict among content as on its page', async () => {
  const { repository } = toRecipeRecord('own', '1.0.0', []);
  const prose = await proseOf(repository);
  assert.match(prose, /Exact match 1 \S+own 1\.0\.0 recipe verified/);
  assert.doesNotMatch(prose, /not signed/);
  assert.match(toPageText(await (await viewer.get('/recipes/-/own')).text()), /verified/);
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
  assert.match(
    toPageText(await french.text()),
    /Versions de ce nom 2 second\/api:1\.4\.0 image non signé zone-a/,
  );
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
    assert.equal(await leadsTo(part), `/content/registry.example/shop/web/-/tags/1.0.0#${part}`);
  const version = await (await viewer.get('/content/registry.example/shop/web/-/tags/1.0.0')).text();
  assert.match(version, new RegExp(`<td[^>]*><span id="${child.manifest.descriptor.digest}">`));
  await pushAsClient(server.store, 'other/web', image, 'copy');
  assert.match(
    await proseOf(digest),
    /Where this digest is sha256:[0-9a-f]{64} registry\.example\/shop\/web:1\.0\.0 image not signed other\/web:copy image not signed/,
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
  assert.match(prose, /12ee730\/twins:1 part of a version/);
  const french = await viewer.get('/search?q=12ee730', { 'accept-language': 'fr' });
  assert.match(toPageText(await french.text()), /Empreintes qui commencent ainsi/);
});

test('an administrator finds accounts and tokens by name, and the audit records of content that is gone; others find neither', async () => {
  const admin = await signInAs(server, 'admin', 'ilse');
  const names = ['build-one', 'build-two'];
  for (const name of names) await server.accounts.tokens.create({ name, role: 'viewer' });
  await server.accounts.tokens.revoke('build-two');
  const ask = async (q: string, language = 'en') =>
    admin.get(`/search?q=${encodeURIComponent(q)}`, { 'accept-language': language });
  assert.match(
    toPageText(await (await ask('build')).text()),
    /Accounts and tokens 2 build-one token viewer created \d[^,]+, \S+ UTC build-two revoked token viewer created/,
  );
  assert.match(toPageText(await (await ask('build', 'fr')).text()), /build-two jeton révoqué viewer/);
  for (const [q, place] of [
    ['build-one', '/admin/accounts/-/tokens/build-one'],
    ['build-two', '/admin/accounts/-/tokens/build-two'],
    ['ilse', '/admin/accounts/ilse'],
  ] as const)
    assert.equal((await ask(q)).headers.get('location'), place);
  const valid = await (await admin.get('/admin/accounts/-/tokens/build-one')).text();
  // revoking a token takes two clicks
  assert.match(valid, /<form [^>]*action="\/admin\/accounts\/-\/tokens\/build-one\/revoke"/);
  assert.match(toPageText(valid), /Token build-one.* Role viewer Created .* Last used never State valid/);
  assert.ok(valid.indexOf('<dl') < valid.indexOf('<form class="form'), 'what it is comes first');
  const revoked = await (await admin.get('/admin/accounts/-/tokens/build-two')).text();
  assert.match(toPageText(revoked), /Token build-two.* State revoked \d/);
  assert.doesNotMatch(revoked, /build-two\/revoke/);
  const gone = await (await ask('gone/app&1')).text();
  assert.match(gone, /<a href="\/history\?subject=gone%2Fapp%261">/);
  assert.match(toPageText(gone), /Nothing is found for gone\/app&1.*Audit records with gone\/app&1/);
  for (const q of ['build', 'build-one', 'ilse', 'gone/app'])
    assert.doesNotMatch(await proseOf(q), /Accounts and tokens|Audit records/, q);
});

test('an empty search explains itself, and what is typed stays text', async () => {
  assert.match(await proseOf(''), /leads straight there.*tsk_9f2c41aa07de.*SVC-SIG-001/);
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

test('a beginning of a search has at most eight suggestions, of each kind that has some', async () => {
  const suggest = async (q: string, session = viewer) => {
    const answer = await session.get(`/search?${new URLSearchParams({ q, view: 'suggestions' })}`, {
      'hx-request': 'true',
      'hx-target': 'section#suggestions',
    });
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    assert.doesNotMatch(text, /<html|<img/);
    return Array.from(text.matchAll(/<li><span><a href="([^"]*)"/g), ([, to]) => to!);
  };
  const links = await suggest('sho');
  assert.ok(links.length <= 8 && links.length >= 3, links.join(' '));
  assert.equal(links[0], '/recipes/-/shop');
  assert.ok(links.includes('/content/registry.example/shop/web'), links.join(' '));
  assert.ok(
    links.some((to) => to.startsWith('/tasks/tsk_')),
    links.join(' '),
  );
  assert.ok((await suggest('web:1.0')).includes('/content/registry.example/shop/web/-/tags/1.0.0'));
  const { digest } = image.manifest.descriptor;
  assert.ok((await suggest(digest.slice(7, 16)))[0]?.includes('/-/tags/'), 'a digest, by its beginning');
  assert.deepEqual(await suggest('med-01'), ['/help#SVC-MED-010', '/help#SVC-MED-011']);
  assert.ok((await suggest('signature')).some((to) => to.startsWith('/help#')));
  assert.deepEqual(await suggest('<img src=x>nothing'), ['/search?q=%3Cimg+src%3Dx%3Enothing']);
});

// the last: it records other recipes
test('content that a signed recipe names by its digest is not called unsigned', async () => {
  const bread = buildImage('bread');
  await pushAsClient(server.store, 'registry.example/bakery/bread', bread, '2.0.0');
  const rows = [['registry.example/bakery/bread', '2.0.0']] as const;
  const before = toRecipeRecord('bakery', '1.4.1', rows);
  const named = before.ingredients.map((each) => ({ ...each, digest: bread.manifest.descriptor.digest }));
  const run = { zone: 'zone', runId: 'later', resolvedAt: '2026-01-02T00:00:00.000Z' };
  const record = { ...before, ingredients: named, digest: `sha256:${'b'.repeat(64)}` } as const;
  await recordSync(server.store, run, [record]);
  const path = '/content/registry.example/bakery/bread/-/tags/2.0.0';
  const versionOf = async (): Promise<string> => toPageText(await (await viewer.get(path)).text());
  assert.match(await proseOf('bakery/bread'), /2\.0\.0 image not signed/, 'nobody signed that recipe');
  assert.match(await versionOf(), /carries no signature/);
  await recordSync(server.store, run, [
    { ...record, version: '1.4.2', tag: '1.4.2', digest: `sha256:${'c'.repeat(64)}`, keyFingerprint },
  ]);
  const prose = await proseOf('bakery/bread');
  assert.match(
    prose,
    /2\.0\.0 image named by recipe bakery 1\.4\.2 ?, whose key was withdrawn since/,
    'its key is none of a root',
  );
  assert.doesNotMatch(prose, /not signed/);
  const shown = await versionOf();
  assert.match(shown, /Signatures Its digest is named by recipe bakery 1\.4\.2/);
  assert.doesNotMatch(shown, /carries no signature/);
  const { digest } = bread.manifest.descriptor;
  const roots = [{ name: 'release', fingerprint: keyFingerprint }];
  const voucherOf = await readVouchers({
    store: server.store,
    gate: createOpenGate({ rehash: false }),
    instance: { context: { config: { storage: {} }, policy: { roots } } } as never,
  });
  assert.equal(voucherOf(digest)?.signer, 'release');
});
