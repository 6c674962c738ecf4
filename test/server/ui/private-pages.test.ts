import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { uiRoutes } from '../../../server/ui/routes.ts';
import { isPage } from '../../../server/ui/ui-route.ts';
import type { RetrieverRecord } from '../../../src/contract/recipe.ts';
import { svcError, toErrorRecord } from '../../../src/text/error.ts';
import { eventually } from '../../kit/instance/eventually.ts';
import { startTestServer, type TestServer } from '../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';
import { mediaId, mediumReport, scriptMedia } from '../../kit/scene/media-state.ts';
import { type BrowserSession, openBrowserSession } from '../../kit/web/browser-session.ts';

const below = ['viewer', 'operator'] as const;
const languages = ['en', 'fr'] as const;

let folder: TempFolder;
let server: TestServer;
let failed: string;
const sessions = new Map<string, BrowserSession>();

/** An instance whose Retriever, medium, FileSets and tasks all have something to say about folders of the machine. */
before(async () => {
  folder = await openTempFolder();
  const store = `${folder.path}/store`;
  const media = scriptMedia(() => Promise.reject(new Error('this medium is not imported')));
  media.record = { zone: 'zone-b', root: store, mediaId };
  const absent = svcError('SVC-MED-001', { path: 'media.jsonl', folder: store, found: 'incomplete' });
  media.current = {
    guarded: true,
    serving: 'closed',
    mediaId,
    report: mediumReport({
      verdict: 'blocked',
      recipes: [],
      blocks: [{ code: absent.code, params: absent.params, waivable: false, waived: false }],
    }),
    failure: toErrorRecord(svcError('SVC-STO-001', { path: store })),
  };
  const retriever = (): RetrieverRecord => ({
    mode: 'passthrough',
    source: `${folder.path}/retriever.yaml`,
    substitutions: [],
    relaxedScopes: [],
    anonymousFilesets: [],
    prune: false,
  });
  server = await startTestServer({
    folder: folder.path,
    zone: 'zone-b',
    media,
    retriever,
    operations: {
      previewPrune: () => Promise.reject(svcError('SVC-STO-001', { path: `${folder.path}/retriever.yaml` })),
    },
    run: () => Promise.reject(svcError('SVC-STO-001', { path: store })),
  });
  server.store.index.recipes = () => {
    throw svcError('SVC-STO-001', { path: store });
  };
  for (const role of ['viewer', 'operator', 'admin']) {
    const name = `the-${role}`;
    const session = openBrowserSession(server);
    await server.accounts.create({ name, role, password: 'a good password' });
    await session.signIn(name, 'a good password');
    sessions.set(role, session);
  }
  sessions.set('nobody', openBrowserSession(server));
  const task = await server.tasks.submit({
    type: 'sync',
    reference: `${folder.path}/retriever.yaml`,
    actor: 'the-admin',
  });
  failed = task.id;
  await eventually('the task to fail', async () => (await server.tasks.get(failed)).status === 'failed');
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

const fill = (path: string): string =>
  path
    .replace('{repo}', 'some/repository')
    .replace('{tag}', 'v1')
    .replace('{id}', failed)
    .replace(/\{[a-z]+\}/g, 'nothing');

const traces = (): readonly string[] => [folder.path, encodeURIComponent(folder.path)];

for (const route of uiRoutes.filter(isPage))
  test(`GET ${route.path} shows folders of the machine to nobody below administrators`, async () => {
    for (const who of ['nobody', ...below])
      for (const language of languages) {
        const path = fill(route.path);
        const text = await (await sessions.get(who)!.get(path, { 'accept-language': language })).text();
        for (const trace of traces())
          assert.equal(text.indexOf(trace), -1, `${path} as ${who}: ${text.slice(text.indexOf(trace) - 80)}`);
      }
  });

test('a folder at the end of a sentence is named by its setting, and in full for administrators', async () => {
  for (const [path, setting] of [
    ['/media', 'storage.root'],
    ['/media/report', 'storage.root'],
  ] as const) {
    const operators = await (await sessions.get('operator')!.get(path)).text();
    // by itself, or at the end of a text that stands apart in the sentence
    assert.match(operators, new RegExp(`&lt;${setting}&gt;(?:</bdi>)?\\.[ <]`), path);
    const administrators = await (await sessions.get('admin')!.get(path)).text();
    assert.ok(administrators.includes(folder.path), path);
  }
  const sync = await (await sessions.get('operator')!.get('/recipes/sync')).text();
  assert.match(sync, /from (?:<[^>]*>)*the configured source/);
  assert.ok((await (await sessions.get('admin')!.get('/recipes/sync')).text()).includes(folder.path));
  const start = await sessions.get('operator')!.post('/recipes/sync/prune', {}, { page: '/recipes/sync' });
  assert.doesNotMatch(await start.text(), new RegExp(folder.path));
});
