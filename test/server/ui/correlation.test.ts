import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { svcError } from '../../../src/text/error.ts';
import { startTestServer, type TestServer } from '../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';
import { passthroughRetriever } from '../../kit/instance/test-instance.ts';
import { type BrowserSession, openBrowserSession } from '../../kit/web/browser-session.ts';
import { parseStrictHtml } from '../../kit/web/strict-html.ts';

let folder: TempFolder;
let server: TestServer;
let admin: BrowserSession;
let failure: unknown;

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({
    folder: folder.path,
    retriever: () => passthroughRetriever,
    operations: {
      planSync: async () => {
        throw failure;
      },
    },
  });
  server.store.index.recipes = () => {
    throw failure;
  };
  admin = openBrowserSession(server);
  await admin.signIn('admin', 'admin password');
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

/** The identifier on a page, which is that of its header. */
async function idOf(answer: Response): Promise<{ readonly id: string; readonly text: string }> {
  const id = answer.headers.get('x-request-id') ?? '';
  const text = await answer.text();
  parseStrictHtml(text, 'page');
  assert.match(id, /^[A-Za-z0-9._-]{1,64}$/);
  assert.ok(text.includes(`>${id}</code>`), 'the page shows the identifier');
  return { id, text };
}

const recordsOf = (id: string) => server.report.records.filter(({ fields }) => fields.correlationId === id);

for (const [name, ask] of [
  ['page', () => admin.get('/recipes')],
  ['form', () => admin.post('/recipes/sync/plan', {}, { page: '/recipes/sync' })],
] as const) {
  test(`an internal error of a ${name}: the page has an identifier, the log has it with the cause, the page does not`, async () => {
    failure = new Error('the inner reason');
    const answer = await ask();
    assert.equal(answer.status, 500);
    const { id, text } = await idOf(answer);
    assert.match(text, /SVC-SRV-001/);
    assert.doesNotMatch(text, /inner reason|\.ts:[0-9]/);
    const [record, ...more] = recordsOf(id);
    assert.deepEqual([record?.level, record?.fields.code, more.length], ['error', 'SVC-SRV-001', 0]);
    assert.match(String(record?.fields.stack), /the inner reason/);
  });

  test(`a failure with a code of a ${name}: page and log name the same code under one identifier`, async () => {
    failure = svcError('SVC-REG-002', { host: 'registry.example' });
    const answer = await ask();
    assert.equal(answer.status, 502);
    const { id, text } = await idOf(answer);
    assert.match(text, /SVC-REG-002/);
    const [record] = recordsOf(id);
    assert.deepEqual([record?.level, record?.fields.code], ['error', 'SVC-REG-002']);
  });
}

test('the identifier that a proxy gives is kept, and one that is not an identifier is not', async () => {
  failure = new Error('again');
  const given = await admin.get('/recipes', { 'x-request-id': 'edge-42.a' });
  assert.equal((await idOf(given)).id, 'edge-42.a');
  assert.equal(recordsOf('edge-42.a').length, 1);
  const hostile = await admin.get('/recipes', { 'x-request-id': '<script>alert(1)</script>' });
  assert.doesNotMatch((await idOf(hostile)).text, /<script>alert/);
});

test('what is refused names its identifier too: unknown pages, roles, methods and forms', async () => {
  await server.accounts.create({ name: 'vera', role: 'viewer', password: 'a good password' });
  const viewer = openBrowserSession(server);
  await viewer.signIn('vera', 'a good password');
  for (const [answer, status] of [
    [await viewer.get('/nowhere'), 404],
    [await viewer.get('/a/../b//c'), 404],
    [await viewer.get('/admin/store'), 403],
    [await viewer.post('/account/password', {}, { token: 'x' }), 403],
    [await viewer.get('/tasks?page=nine'), 422],
    [await openBrowserSession(server).get('/a//b'), 404],
  ] as const) {
    assert.equal(answer.status, status);
    await idOf(answer);
  }
  const put = await fetch(`${server.url}/account`, {
    method: 'PUT',
    headers: { cookie: `svc_session=${viewer.cookies.get('svc_session')}`, accept: 'text/html' },
  });
  assert.deepEqual([put.status, put.headers.get('allow')], [405, 'GET, HEAD']);
  await idOf(put);
});
