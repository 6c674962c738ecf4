import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Task } from '../../../../src/contract/task.ts';
import type { TaskJournal } from '../../../../src/task/model.ts';
import { isOver } from '../../../../src/task/model.ts';
import { svcError, toErrorRecord } from '../../../../src/text/error.ts';
import { eventually } from '../../../kit/instance/eventually.ts';
import { startTestServer, type TestServer } from '../../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../../kit/instance/temp-folder.ts';
import { mediumReport, recipeVerdict } from '../../../kit/scene/media-state.ts';
import { type BrowserSession, signInAs } from '../../../kit/web/browser-session.ts';
import { parseStrictHtml } from '../../../kit/web/strict-html.ts';

const digest = `sha256:${'a'.repeat(64)}` as const;
const hostile = '<img src=x onerror=alert(1)>\u202e"\'';

let folder: TempFolder;
let server: TestServer;
let operator: BrowserSession;
let viewer: BrowserSession;
/** The work of the next task. */
let work: (journal: TaskJournal, signal: AbortSignal) => Promise<void> = async () => {};

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({
    folder: folder.path,
    run: (_task, _request, journal, signal) => work(journal, signal),
  });
  operator = await signInAs(server, 'operator', 'olga');
  viewer = await signInAs(server, 'viewer', 'vera');
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

async function start(): Promise<string> {
  const response = await server.fetch('/api/v1/sync', {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'application/json' },
  });
  assert.equal(response.status, 201, await response.clone().text());
  return ((await response.json()) as { task: { id: string } }).task.id;
}

const finished = (id: string): Promise<Task> =>
  eventually('the end of the task', async () => {
    const task = await server.tasks.get(id);
    return isOver(task) && task;
  });

async function proseOf(session: BrowserSession, path: string, status = 200): Promise<string> {
  const response = await session.get(path);
  const text = await response.text();
  assert.equal(response.status, status, text);
  return parseStrictHtml(text, path).prose;
}

test('without a task the list says so, with a filter it names the filter', async () => {
  assert.match(await proseOf(viewer, '/tasks'), /No task has run yet/);
  const filtered = await proseOf(viewer, '/tasks?q=nothing-like-it&status=failed');
  assert.match(filtered, /Nothing matches nothing-like-it, failed/);
  assert.match(filtered, /Drop the filter/);
});

test('a task shows its items, the reason of a failure with its help, and no markup of names', async () => {
  work = async (journal) => {
    journal.setItems([
      { name: 'shop/web', digest, sizeBytes: 2048, status: 'pending', transferredBytes: 0 },
      { name: hostile, status: 'pending', transferredBytes: 0 },
    ]);
    journal.setTotalBytes(2048);
    journal.addBytes(2048);
    journal.line(`a line ${hostile}`);
    await journal.updateItem('shop/web', { status: 'done', transferredBytes: 2048 });
    await journal.updateItem(hostile, {
      status: 'failed',
      error: toErrorRecord(svcError('SVC-REG-003', { host: hostile })),
    });
    throw svcError('SVC-REG-003', { host: hostile });
  };
  const id = await start();
  const task = await finished(id);
  assert.equal(task.status, 'failed');
  for (const path of [`/tasks/${id}`, '/tasks', `/tasks/${id}/log`]) {
    const text = await (await viewer.get(path)).text();
    assert.doesNotMatch(text, /<img|\u202e/, path);
  }
  const prose = await proseOf(viewer, `/tasks/${id}`);
  assert.match(prose, /1 of 2 items done, 1 failed/);
  assert.match(prose, /SVC-REG-003/);
  assert.doesNotMatch(prose, /Cancel the task/);
  const page = await (await viewer.get(`/tasks/${id}`)).text();
  assert.doesNotMatch(page, /hx-trigger/, 'nothing changes any more');
  assert.ok(page.indexOf('failed</span>') < page.indexOf('shop/web'), 'failed items come first');
  const failed = await proseOf(viewer, `/tasks/${id}?state=failed`);
  assert.doesNotMatch(failed, /shop\/web/);
  assert.match(await proseOf(viewer, '/tasks?status=failed'), /SVC-REG-003/);
});

test('a task that ended without items does not wait for them', async () => {
  work = async () => {};
  const id = await start();
  await finished(id);
  const prose = await proseOf(viewer, `/tasks/${id}`);
  assert.match(prose, /This task has no items\./);
  assert.doesNotMatch(prose, /No items yet/);
});

test('a running task is live, and whoever may start it cancels it', async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  work = async (journal, signal) => {
    journal.setItems([{ name: 'shop/web', sizeBytes: 100, status: 'running', transferredBytes: 50 }]);
    journal.setTotalBytes(100);
    journal.addBytes(50);
    begin();
    await new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  };
  const id = await start();
  await begun;
  const page = await (await operator.get(`/tasks/${id}`)).text();
  assert.match(page, /hx-trigger="every 1s"/);
  const reload = /<noscript><meta http-equiv="refresh" content="10"><\/noscript>/;
  assert.match(page, reload);
  assert.match(await (await operator.get('/tasks')).text(), reload);
  assert.match(page, /50 % · synchronization|50% · synchronization/);
  assert.doesNotMatch(await proseOf(viewer, `/tasks/${id}`), /Cancel the task/);
  const refused = await viewer.post(`/tasks/${id}/cancel`, {}, { page: '/account' });
  assert.equal(refused.status, 403);
  const answer = await operator.post(`/tasks/${id}/cancel`, {}, { page: `/tasks/${id}` });
  assert.equal(answer.status, 303, await answer.clone().text());
  assert.equal(answer.headers.get('location'), `/tasks/${id}`);
  const task = await finished(id);
  assert.equal(task.cancelledBy, 'olga');
  assert.match(await proseOf(operator, `/tasks/${id}`), /Cancelled by/);
  const row = await (await operator.get('/tasks')).text();
  assert.match(row, /badge-stopped[\s\S]*?cancelled/);
  assert.doesNotMatch(row, /http-equiv/);
  const french = await (await operator.get(`/tasks/${id}`, { 'accept-language': 'fr' })).text();
  assert.match(french, /<title>annulée · /);
  assert.doesNotMatch(french, /badge-bad/);
});

test('an unknown task is an error page with its code, in both languages', async () => {
  assert.match(await proseOf(viewer, '/tasks/tsk_000000000000', 404), /SVC-TSK-001/);
  const french = await viewer.get('/tasks/tsk_000000000000', { 'accept-language': 'fr' });
  assert.match(await french.text(), /Que faire/);
});

test('the task of a medium that went in partly says how many recipes did, in both languages', async () => {
  const toResolution = (recipe: string, destinationStatus: 'pushed' | 'up-to-date', ingredient?: string) => ({
    ...{ recipe, requested: '1', resolved: '1', digest, status: 'up-to-date' as const, destinationStatus },
    ...(ingredient === undefined ? {} : { ingredient }),
  });
  for (const [resolutions, en, fr] of [
    [
      [toResolution('a', 'pushed'), toResolution('a', 'pushed', 'web'), toResolution('b', 'up-to-date')],
      /partly imported: 2 of 3 recipes/,
      /importation partielle\s: 2 recettes sur 3/,
    ],
    [[], /import of a medium failed(?!, )/, /importation d’un support échouée(?!, )/],
  ] as const) {
    work = async (journal) => {
      journal.setVerification(
        mediumReport({ recipes: ['a', 'b', 'c'].map((name) => recipeVerdict({ name })) }),
      );
      journal.setResolutions(resolutions);
      journal.setTotalBytes(10);
      journal.addBytes(10);
      throw svcError('SVC-REG-007', { reference: 'c', detail: 'no' });
    };
    const { id } = await server.tasks.submit({
      type: 'media-import',
      reference: 'medium',
      actor: 'olga',
      parameters: { allowZoneMismatch: false, allowStale: false },
    });
    await finished(id);
    for (const [language, words] of [
      ['en', en],
      ['fr', fr],
    ] as const) {
      const page = await (await operator.get(`/tasks/${id}`, { 'accept-language': language })).text();
      const { prose } = parseStrictHtml(page, language);
      assert.match(prose, words);
      assert.doesNotMatch(prose, /100\s?%/);
    }
  }
});
