import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import type { GateRefusal } from '../../../../src/base/gate-refusal.ts';
import { openRepository } from '../../../../src/store/open-repository.ts';
import { recordSync } from '../../../../src/store/record-sync.ts';
import { openArrivals } from '../../../../src/zone/arrivals.ts';
import { buildImage, pushArtifact } from '../../../kit/content/content.ts';
import { toRecipeRecord } from '../../../kit/content/recipe-record.ts';
import { createOpenGate } from '../../../kit/instance/open-gate.ts';
import { startTestServer, type TestServer } from '../../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../../kit/instance/temp-folder.ts';
import { mediumReport, recipeVerdict, scriptMedia } from '../../../kit/scene/media-state.ts';
import { showcaseArrival } from '../../../kit/showcase/delivery.ts';
import { type BrowserSession, openBrowserSession, signInAs } from '../../../kit/web/browser-session.ts';
import { parseStrictHtml } from '../../../kit/web/strict-html.ts';

const passed = 'registry.example/shop/web';
const blocked = 'registry.example/shop/db';

let folder: TempFolder;
let server: TestServer;
let viewer: BrowserSession;
let refusal: GateRefusal | undefined;
const media = scriptMedia(() => Promise.reject(new Error('this medium is not imported')));

/** A medium of which one recipe passed and one is blocked. */
before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({
    folder: folder.path,
    zone: 'zone-b',
    media,
    gate: () => ({
      ...createOpenGate({ rehash: false }),
      guarded: true,
      refusal: () => refusal,
      allowsRepository: (repository) => !repository.endsWith('/db'),
      allowsTag: (repository) => !repository.endsWith('/db'),
    }),
  });
  const owner = { provenance: 'recipe', recipe: 'web@1.0.0', cookbook: 'registry.example/cookbook' } as const;
  for (const repository of [passed, blocked])
    await pushArtifact(openRepository(server.store, repository, { owner }), buildImage(repository), 'v1');
  await recordSync(server.store, { zone: 'zone-b', runId: 'run', resolvedAt: '2026-01-01T00:00:00.000Z' }, [
    toRecipeRecord('web', '1.0.0', [[passed, 'v1']]),
    toRecipeRecord('db', '1.0.0', [[blocked, 'v1']]),
  ]);
  viewer = openBrowserSession(server);
  await server.accounts.create({ name: 'vera', role: 'viewer', password: 'a good password' });
  await viewer.signIn('vera', 'a good password');
});
beforeEach(() => {
  refusal = undefined;
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

async function ask(path: string): Promise<{ readonly status: number; readonly code: string; title: string }> {
  const answer = await server.fetch(`/api/v1${path}`, { headers: { authorization: server.as.viewer } });
  return { status: answer.status, ...((await answer.json()) as { code: string; title: string }) };
}

test('what the medium lists and a verification blocked is not said to be unknown', async () => {
  for (const path of [`/content/${blocked}`, `/content/${blocked}/-/tags/v1`, '/recipes/db/mapping']) {
    const { status, code } = await ask(path);
    assert.deepEqual([status, code], [403, 'SVC-MED-032'], path);
  }
  for (const path of [
    `/content/${blocked}`,
    `/content/${blocked}/-/tags/v1`,
    '/recipes/-/db',
    '/recipes/-/db?version=1.0.0',
    '/recipes/-/db/mapping',
  ]) {
    const page = await viewer.get(path);
    assert.equal(page.status, 403, path);
    assert.match(await page.text(), /SVC-MED-032/, path);
  }
});

test('the page of a blocked recipe has the cause, what follows from it, and the way to the medium', async () => {
  const reason = {
    code: 'SVC-MED-012',
    path: 'blobs/sha256/aa',
    params: { path: 'blobs/sha256/aa' },
  } as const;
  const verdict = recipeVerdict({ name: 'db', version: '1.0.0', pushable: false, reason, files: 18 });
  media.current = {
    guarded: true,
    serving: 'open',
    mediaId: 'med_1',
    report: mediumReport({ verdict: 'partial', recipes: [verdict] }),
  };
  const page = await viewer.get('/recipes/-/db');
  assert.equal(page.status, 403);
  const { prose } = parseStrictHtml(await page.text(), 'blocked');
  const cause = prose.indexOf('does not match its digest');
  const line = prose.indexOf('1 altered or missing file; 17 files of the same recipe withheld');
  assert.ok(cause > 0 && line > cause, prose);
  assert.match(prose, /SVC-MED-032/);
});

test('the page of a blocked recipe counts its files as the page of the medium does', async () => {
  const { name, version, cookbook, digest, documentDigest, ingredients } = server.store.index
    .recipes()
    .find((each) => each.name === 'db')!;
  const findings = [digest, documentDigest, ingredients[0]!.digest].map((one) => {
    const path = `blobs/sha256/${one.slice('sha256:'.length)}`;
    return { code: 'SVC-MED-021', path, params: { path } } as const;
  });
  const reason = { code: 'SVC-SIG-001', params: { subject: 'db@1.0.0', reason: 'none' } } as const;
  const verdict = recipeVerdict({ name, version, cookbook, digest, pushable: false, reason, files: 1 });
  media.current = {
    ...{ guarded: true, serving: 'open', mediaId: 'med_1' },
    report: mediumReport({ verdict: 'partial', recipes: [verdict], findings }),
  };
  const { prose } = parseStrictHtml(await (await viewer.get('/recipes/-/db')).text(), 'blocked');
  assert.match(prose, /3 files of the same recipe withheld/);
});

test('the day on which content of a medium landed is that of the import, and never that of its source', async () => {
  const proseOf = async (path: string): Promise<string> =>
    parseStrictHtml(await (await viewer.get(path)).text(), path).prose;
  assert.match(await proseOf('/recipes/-/web'), /Recorded at the source \d+ \w+ ago/);
  assert.match(await proseOf('/content'), /Recorded at the source/);
  assert.match(await proseOf(`/content/${passed}`), /Recorded at the source/);
  const arrival = {
    ...showcaseArrival,
    recipes: [{ ...showcaseArrival.recipes[0]!, name: 'web', version: '1.0.0' }],
  };
  await openArrivals(join(folder.path, 'state')).update(arrival, () => arrival);
  assert.match(await proseOf('/recipes/-/web'), /signatureLanded \d+ \w+ ago/);
  assert.match(await proseOf('/recipes'), /web[\s\S]*22 Nov 2026/);
});

test('an unknown name is unknown, and what is suggested can be opened', async () => {
  const near = await ask(`/content/${passed}s`);
  assert.deepEqual([near.status, near.code], [404, 'SVC-REG-005']);
  assert.equal((near as { params?: { nearest?: string } }).params?.nearest, passed);
  const nearBlocked = await ask(`/content/${blocked}s`);
  assert.equal(nearBlocked.code, 'SVC-REG-005');
  assert.notEqual((nearBlocked as { params?: { nearest?: string } }).params?.nearest, blocked);
  const version = await viewer.get('/recipes/-/web?version=2.0.0');
  assert.equal(version.status, 404);
  const { prose } = parseStrictHtml(await version.text(), 'version');
  assert.match(prose, /web:2\.0\.0 was not found in the store/);
  assert.match(prose, /Did you mean web:1\.0\.0\?/);
});

test('the error of a closed gate leads those who may open it to the medium, and names no route of the API', async () => {
  const operator = await signInAs(server, 'operator', 'otto');
  for (const code of ['SVC-MED-030', 'SVC-MED-032'] as const)
    for (const path of [`/content/${passed}`, '/recipes/-/web']) {
      refusal = { code, mediaId: 'med_1' };
      for (const [reader, isLed] of [
        [operator, true],
        [viewer, false],
      ] as const) {
        const text = await (await reader.get(path)).text();
        const [error = ''] = /<div class="error"[\s\S]*?class="error-foot">[\s\S]*?<\/p>/.exec(text) ?? [];
        assert.match(error, new RegExp(code), path);
        assert.equal(error.includes('<a href="/media">'), isLed, path);
        assert.doesNotMatch(error, /\/api\/v1|svc media/, path);
      }
    }
});
